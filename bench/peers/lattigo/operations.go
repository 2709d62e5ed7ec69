package main

import (
	"fmt"
	"math"
	"runtime"

	"github.com/tuneinsight/lattigo/v6/circuits/ckks/lintrans"
	"github.com/tuneinsight/lattigo/v6/circuits/ckks/polynomial"
	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
	"github.com/tuneinsight/lattigo/v6/utils/bignum"
)

// evaluator has the relinearisation key and those of the rotations.
func (m *machine) evaluator(by []int) *ckks.Evaluator {
	galois := m.keys.GenGaloisKeysNew(m.params.GaloisElements(by), m.secret)
	return ckks.NewEvaluator(m.params, rlwe.NewMemEvaluationKeySet(m.relinearize, galois...))
}

// operations measures a level; additions, plain products and rescales down to 12 limbs only.
func (m *machine) operations(evaluator *ckks.Evaluator, level int) {
	a, b := m.encrypt(m.x, level, m.params.DefaultScale()), m.encrypt(m.y, level, m.params.DefaultScale())
	result := ckks.NewCiphertext(m.params, 1, level)
	products := make([]float64, len(m.x))
	for i := range products {
		products[i] = m.x[i] * m.y[i]
	}
	if level >= 11 {
		m.lightOperations(evaluator, a, b, products)
	}
	m.measure("mul_relin", level, products, result, func() { must(evaluator.MulRelin(a, b, result)) })
	m.measure("rotate", level, rotated(m.x, 1), result, func() { must(evaluator.Rotate(a, 1, result)) })
	results := map[int]*rlwe.Ciphertext{}
	for _, by := range rotations {
		results[by] = ckks.NewCiphertext(m.params, 1, level)
	}
	last := rotations[len(rotations)-1]
	m.measure("rotate8", level, rotated(m.x, last), results[last], func() {
		must(evaluator.RotateHoisted(a, rotations, results))
	})
}

// lightOperations are those without a key.
func (m *machine) lightOperations(evaluator *ckks.Evaluator, a, b *rlwe.Ciphertext, products []float64) {
	level := a.Level()
	result := ckks.NewCiphertext(m.params, 1, level)
	sums := make([]float64, len(m.x))
	for i := range sums {
		sums[i] = m.x[i] + m.y[i]
	}
	m.measure("add", level, sums, result, func() { must(evaluator.Add(a, b, result)) })
	plain := ckks.NewPlaintext(m.params, level)
	must(m.encoder.Encode(m.y, plain))
	m.measure("mul_plain", level, products, result, func() { must(evaluator.Mul(a, plain, result)) })
	last := rlwe.NewScale(m.params.Q()[level])
	wide := m.encrypt(m.x, level, m.params.DefaultScale().Mul(last))
	lower := ckks.NewCiphertext(m.params, 1, level-1)
	m.measure("rescale", level, m.x, lower, func() { must(evaluator.Rescale(wide, lower)) })
}

// chebyshev measures a polynomial of degree 63, depth-optimal.
func (m *machine) chebyshev(evaluator *ckks.Evaluator) {
	coefficients := make([]float64, 64)
	for i := range coefficients {
		coefficients[i] = 1 / float64(1+i)
	}
	want := make([]float64, len(m.x))
	for i, x := range m.x {
		for k, c := range coefficients {
			want[i] += c * math.Cos(float64(k)*math.Acos(x))
		}
	}
	level := m.params.MaxLevel()
	input := m.encrypt(m.x, level, m.params.DefaultScale())
	p := bignum.NewPolynomial(bignum.Chebyshev, coefficients, [2]float64{-1, 1})
	evaluation := polynomial.NewEvaluator(m.params, evaluator)
	var result *rlwe.Ciphertext
	runs := timed(3, func() { result = get(evaluation.Evaluate(input, p, m.params.DefaultScale())) })
	m.row("chebyshev63", level).withBits(want, m.decrypt(result)).print(runs)
}

// transform measures a matrix of `count` diagonals, baby steps and giant steps, with both decompositions hoisted.
func (m *machine) transform(count int) {
	level := m.params.MaxLevel()
	diagonals, want := lintrans.Diagonals[float64]{}, make([]float64, len(m.x))
	for k := range count {
		diagonals[k] = uniform(int64(100+k), len(m.x))
		for i, x := range rotated(m.x, k) {
			want[i] += diagonals[k][i] * x
		}
	}
	literal := lintrans.Parameters{DiagonalsIndexList: diagonals.DiagonalsIndexList(), LevelQ: level, LevelP: m.params.MaxLevelP(),
		Scale: rlwe.NewScale(m.params.Q()[level]), LogDimensions: m.params.LogMaxDimensions(), LogBabyStepGiantStepRatio: 1}
	matrix := lintrans.NewTransformation(m.params, literal)
	must(lintrans.Encode(m.encoder, diagonals, matrix))
	galois := m.keys.GenGaloisKeysNew(lintrans.GaloisElements(m.params, literal), m.secret)
	evaluation := lintrans.NewEvaluator(ckks.NewEvaluator(m.params, rlwe.NewMemEvaluationKeySet(nil, galois...)))
	input, result := m.encrypt(m.x, level, m.params.DefaultScale()), ckks.NewCiphertext(m.params, 1, level)
	runs := timed(3, func() { must(evaluation.Evaluate(input, matrix, result)) })
	m.row(fmt.Sprintf("transform%d", count), level).withBits(want, m.decrypt(result)).print(runs)
	runtime.GC() // the keys of this one, before those of the next
}
