package wire

type Value struct{ Text string }

type Member struct {
	Name  string
	Value Value
}

func M(name string, v Value) Member { return Member{name, v} }

func String(s string) Value { return Value{Text: s} }
