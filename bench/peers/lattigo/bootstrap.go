package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/tuneinsight/lattigo/v6/circuits/ckks/bootstrapping"
	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
)

// literals are Lattigo's own parameters of bootstraps, by their names.
var literals = map[string]struct {
	scheme    ckks.ParametersLiteral
	bootstrap bootstrapping.ParametersLiteral
}{
	"N16QP1546H192H32": {bootstrapping.N16QP1546H192H32.SchemeParams, bootstrapping.N16QP1546H192H32.BootstrappingParams},
	"N16QP1767H32768H32": {bootstrapping.N16QP1767H32768H32.SchemeParams,
		bootstrapping.N16QP1767H32768H32.BootstrappingParams},
}

// bootstrapRow is one line of output. Bits are of the real and imaginary parts of all slots together.
type bootstrapRow struct {
	Preset     string    `json:"preset"`
	LogN       int       `json:"log_n"`
	Slots      int       `json:"slots"`
	LogQP      float64   `json:"log_qp"`
	LevelsLeft int       `json:"levels_left"`
	LogQLeft   float64   `json:"log_q_left"`
	MeanBits   float64   `json:"mean_bits"`    // mean of -log2 |error|
	BitsOfMean float64   `json:"bits_of_mean"` // -log2 of the mean |error|
	BitsOfStd  float64   `json:"bits_of_std"`  // -log2 of the root of the mean square
	WorstBits  float64   `json:"worst_bits"`
	KeygenMs   float64   `json:"keygen_ms"`
	LoadMs     float64   `json:"load_ms"` // encoding of the matrices
	RunsMs     []float64 `json:"runs_ms"` // the first one is cold
	WarmMs     float64   `json:"warm_ms"`
	Threads    int       `json:"threads"`
	PeakBytes  int64     `json:"peak_bytes"`
	Backend    string    `json:"backend"`
}

// uniformComplex are n points of the square of side 2.
func uniformComplex(n int) []complex128 {
	random := rand.New(rand.NewSource(1))
	values := make([]complex128, n)
	for i := range values {
		values[i] = complex(2*random.Float64()-1, 2*random.Float64()-1)
	}
	return values
}

// withPrecision fills in the bits of `have` against `want`.
func (r *bootstrapRow) withPrecision(want, have []complex128) {
	var logs, sum, squares, worst float64
	for i := range want {
		difference := have[i] - want[i]
		for _, part := range []float64{math.Abs(real(difference)), math.Abs(imag(difference))} {
			logs -= math.Log2(max(part, 0x1p-80))
			sum += part
			squares += part * part
			worst = max(worst, part)
		}
	}
	n := float64(2 * len(want))
	r.MeanBits, r.BitsOfMean = logs/n, -math.Log2(sum/n)
	r.BitsOfStd, r.WorstBits = -math.Log2(squares/n)/2, -math.Log2(worst)
}

// bootstrap measures one of Lattigo's literals: keys, matrices, and `repetitions` bootstraps of one ciphertext.
func bootstrap(name string, repetitions int) {
	literal, known := literals[name]
	if !known {
		panic(fmt.Sprintf("no literal is called %s", name))
	}
	params := get(ckks.NewParametersFromLiteral(literal.scheme))
	circuit := get(bootstrapping.NewParametersFromLiteral(params, literal.bootstrap))
	r := bootstrapRow{Preset: name, LogN: circuit.BootstrappingParameters.LogN(), Slots: params.MaxSlots(),
		LogQP: circuit.BootstrappingParameters.LogQP(), LevelsLeft: params.MaxLevel(), LogQLeft: params.LogQ(),
		Threads: runtime.GOMAXPROCS(0), Backend: "Lattigo v6.2.0, " + runtime.Version()}
	milliseconds := func(begun time.Time) float64 { return rounded(time.Since(begun).Seconds()*1e3, 10) }

	secret := rlwe.NewKeyGenerator(params).GenSecretKeyNew()
	begun := time.Now()
	keys, _, err := circuit.GenEvaluationKeys(secret)
	must(err)
	r.KeygenMs = milliseconds(begun)
	begun = time.Now()
	evaluator := get(bootstrapping.NewEvaluator(circuit, keys))
	r.LoadMs = milliseconds(begun)

	encoder, want := ckks.NewEncoder(params), uniformComplex(params.MaxSlots())
	plain := ckks.NewPlaintext(params, 0)
	must(encoder.Encode(want, plain))
	operand := get(rlwe.NewEncryptor(params, secret).EncryptNew(plain))
	var result *rlwe.Ciphertext
	for range repetitions {
		copied := operand.CopyNew()
		runtime.GC()
		begun := time.Now()
		result = get(evaluator.Bootstrap(copied))
		r.RunsMs = append(r.RunsMs, milliseconds(begun))
	}
	warm := slices.Sorted(slices.Values(r.RunsMs[1:]))
	r.WarmMs = warm[(len(warm)-1)/2]
	have := make([]complex128, len(want))
	must(encoder.Decode(rlwe.NewDecryptor(params, secret).DecryptNew(result), have))
	r.withPrecision(want, have)
	r.PeakBytes = peakMemory()
	must(json.NewEncoder(os.Stdout).Encode(r))
}
