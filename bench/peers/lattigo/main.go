// Command lattigo measures Lattigo v6.2.0 for bench/peers: one JSON object a line, one line an operation and level.
//
// N = 2^16, 24 limbs of 50 bits, six special limbs of 50 bits, so four digits; uniform ternary secret, all 2^15 slots,
// real values, scale 2^50. Set GOMAXPROCS=1 for the time of one thread. Every result is decrypted, so that its row says
// how many bits it has; operands are encrypted with the secret, so that the operation's noise is most of it.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand"
	"slices"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
)

// rotations are those that one decomposition serves.
var rotations = []int{1, 2, 3, 4, 5, 6, 7, 8}

// machine is one client and one server, in one process.
type machine struct {
	params      ckks.Parameters
	repetitions int
	keys        *rlwe.KeyGenerator
	secret      *rlwe.SecretKey
	public      *rlwe.PublicKey
	relinearize *rlwe.RelinearizationKey
	encoder     *ckks.Encoder
	encryptor   *rlwe.Encryptor // with the secret
	decryptor   *rlwe.Decryptor
	x, y        []float64
}

func newMachine(repetitions int) *machine {
	params := get(ckks.NewParametersFromLiteral(ckks.ParametersLiteral{
		LogN: 16, LogQ: slices.Repeat([]int{50}, 24), LogP: slices.Repeat([]int{50}, 6), LogDefaultScale: 50}))
	m := &machine{params: params, repetitions: repetitions, keys: rlwe.NewKeyGenerator(params)}
	m.secret, m.public = m.keys.GenKeyPairNew()
	m.relinearize = m.keys.GenRelinearizationKeyNew(m.secret)
	m.encoder = ckks.NewEncoder(params)
	m.encryptor = rlwe.NewEncryptor(params, m.secret)
	m.decryptor = rlwe.NewDecryptor(params, m.secret)
	m.x, m.y = uniform(1, params.MaxSlots()), uniform(2, params.MaxSlots())
	return m
}

// uniform are n numbers in [-1, 1).
func uniform(seed int64, n int) []float64 {
	random := rand.New(rand.NewSource(seed))
	values := make([]float64, n)
	for i := range values {
		values[i] = 2*random.Float64() - 1
	}
	return values
}

// row is what stands in every row of a level.
func (m *machine) row(operation string, level int) row {
	special := m.params.PCount()
	r := row{Limbs: level + 1, Special: special, Digits: (level + special) / special, Slots: m.params.MaxSlots(), Values: "real"}
	r.Operation = fmt.Sprintf("%s/%d", operation, level+1)
	var logQ, logP float64
	for _, q := range m.params.Q()[:level+1] {
		logQ += math.Log2(float64(q))
	}
	for _, p := range m.params.P() {
		logP += math.Log2(float64(p))
	}
	r.LogQ, r.LogQP = rounded(logQ, 100), rounded(logQ+logP, 100)
	return r
}

func (m *machine) encrypt(values []float64, level int, scale rlwe.Scale) *rlwe.Ciphertext {
	plain := ckks.NewPlaintext(m.params, level)
	plain.Scale = scale
	must(m.encoder.Encode(values, plain))
	return get(m.encryptor.EncryptNew(plain))
}

func (m *machine) decrypt(ciphertext *rlwe.Ciphertext) []float64 {
	values := make([]float64, m.params.MaxSlots())
	must(m.encoder.Decode(m.decryptor.DecryptNew(ciphertext), values))
	return values
}

// measure times f, then prints the row with the bits of what it left in `result`.
func (m *machine) measure(operation string, level int, want []float64, result *rlwe.Ciphertext, f func()) {
	runs := timed(m.repetitions, f)
	m.row(operation, level).withBits(want, m.decrypt(result)).print(runs)
}

// oneLimb measures the transforms of one limb of 50 bits.
func (m *machine) oneLimb() {
	n := m.params.N()
	generator := ring.NewNTTFriendlyPrimesGenerator(50, uint64(2*n))
	r := get(ring.NewRing(n, get(generator.NextDownstreamPrimes(1))))
	limb := r.SubRings[0]
	x, y := make([]uint64, n), make([]uint64, n)
	for i := range x {
		x[i] = rand.Uint64() % limb.Modulus
	}
	logQ := rounded(math.Log2(float64(limb.Modulus)), 100)
	shape := row{Operation: "ntt/1", Limbs: 1, LogQ: logQ, LogQP: logQ, Slots: n / 2, Values: "real"}
	shape.print(timed(m.repetitions, func() { limb.NTT(x, y) }))
	shape.Operation = "intt/1"
	shape.print(timed(m.repetitions, func() { limb.INTT(y, x) }))
}

// client measures what the owner of the secret does, at the top level.
func (m *machine) client() {
	level, scale := m.params.MaxLevel(), m.params.DefaultScale()
	m.row("keygen_pair", level).print(timed(m.repetitions, func() { m.keys.GenKeyPairNew() }))
	m.row("keygen_relin", level).print(timed(m.repetitions, func() { m.keys.GenRelinearizationKeyNew(m.secret) }))
	plain := ckks.NewPlaintext(m.params, level)
	m.row("encode", level).print(timed(m.repetitions, func() { must(m.encoder.Encode(m.x, plain)) }))
	withPublic, fromPublic := rlwe.NewEncryptor(m.params, m.public), ckks.NewCiphertext(m.params, 1, level)
	m.measure("encode_encrypt", level, m.x, fromPublic, func() {
		must(m.encoder.Encode(m.x, plain))
		must(withPublic.Encrypt(plain, fromPublic))
	})
	fresh, values := m.encrypt(m.x, level, scale), make([]float64, len(m.x))
	m.measure("decrypt_decode", level, m.x, fresh, func() {
		m.decryptor.Decrypt(fresh, plain)
		must(m.encoder.Decode(plain, values))
	})
}

func main() {
	repetitions := flag.Int("repetitions", 9, "runs of each operation, at least")
	long := flag.Bool("long", false, "linear transforms and a polynomial as well: minutes, and 10 GiB")
	literal := flag.String("bootstrap", "", "measure only the bootstrap of this name, such as N16QP1546H192H32: 16 GiB")
	flag.Parse()
	if *literal != "" {
		bootstrap(*literal, max(*repetitions, 2))
		return
	}
	m := newMachine(*repetitions)
	m.oneLimb()
	m.client()
	evaluator := m.evaluator(rotations)
	for _, limbs := range []int{24, 12, 6} {
		m.operations(evaluator, limbs-1)
	}
	if *long {
		m.chebyshev(evaluator)
		for _, count := range []int{64, 128} {
			m.transform(count)
		}
	}
}
