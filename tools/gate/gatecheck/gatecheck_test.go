package gatecheck

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), Analyzer,
		"colophon/worker", "colophon/generator", "colophon/generator/samplestest", "colophon/internal/rights", "colophon/cmd/colophon")
}
