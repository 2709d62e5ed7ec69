package main

import (
	"encoding/json"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// row is one operation at one level, as bench/peers/compare.py reads it.
type row struct {
	Operation string  `json:"operation"` // rotate/24
	Limbs     int     `json:"limbs"`
	Special   int     `json:"special"`
	Digits    int     `json:"digits"`
	LogQ      float64 `json:"log_q"`
	LogQP     float64 `json:"log_qp"`
	Slots     int     `json:"slots"`
	Values    string  `json:"values"`
	// Of the decrypted result: minus log2 of the standard deviation, and of the largest error.
	Bits      *float64  `json:"bits"`
	WorstBits *float64  `json:"worst_bits"`
	Threads   int       `json:"threads"`
	RunsMs    []float64 `json:"runs_ms"`
	// Of the whole process so far: operations share it.
	PeakMemoryBytes int64  `json:"peak_memory_bytes"`
	Backend         string `json:"backend"`
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func get[T any](value T, err error) T {
	must(err)
	return value
}

// timed runs f once untimed, then until it has seen `repetitions` runs and 0.3 seconds of them.
func timed(repetitions int, f func()) []float64 {
	f()
	var runs []float64
	for start := time.Now(); len(runs) < repetitions || (time.Since(start) < 300*time.Millisecond && len(runs) < 1000); {
		begun := time.Now()
		f()
		runs = append(runs, time.Since(begun).Seconds()*1e3)
	}
	return runs
}

// peakMemory is the largest resident size of this process, in bytes; 0 where the system does not tell.
func peakMemory() int64 {
	text, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(text), "\n") {
		if rest, found := strings.CutPrefix(line, "VmHWM:"); found {
			kibibytes, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kibibytes * 1024
		}
	}
	return 0
}

// bits is minus log2 of the errors' standard deviation and of the largest one.
func bits(want, have []float64) (deviation, worst float64) {
	var squares, largest float64
	for i := range want {
		e := have[i] - want[i]
		squares += e * e
		largest = math.Max(largest, math.Abs(e))
	}
	return -math.Log2(squares/float64(len(want))) / 2, -math.Log2(largest)
}

func rounded(x float64, digits float64) float64 { return math.Round(x*digits) / digits }

// print completes a row with what the process knows and prints it on a line of its own.
func (r row) print(runs []float64) {
	r.Threads = runtime.GOMAXPROCS(0)
	r.Backend = "Lattigo v6.2.0, " + runtime.Version()
	r.PeakMemoryBytes = peakMemory()
	for _, run := range runs {
		r.RunsMs = append(r.RunsMs, rounded(run, 1e4))
	}
	must(json.NewEncoder(os.Stdout).Encode(r))
}

func (r row) withBits(want, have []float64) row {
	deviation, worst := bits(want, have)
	deviation, worst = rounded(deviation, 100), rounded(worst, 100)
	r.Bits, r.WorstBits = &deviation, &worst
	return r
}

// rotated is `values`, the one at index k first.
func rotated(values []float64, k int) []float64 {
	return slices.Concat(values[k:], values[:k])
}
