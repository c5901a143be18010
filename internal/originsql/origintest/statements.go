package origintest

import (
	"context"
	"reflect"

	"colophon/internal/originsql"
)

// recorder is a Backend that returns no rows and records what it is asked.
type recorder struct {
	list []originsql.Statement
	seen map[string]bool
}

func (r *recorder) Run(_ context.Context, s originsql.Statement) (originsql.Rows, error) {
	if !r.seen[s.Text] {
		r.seen[s.Text] = true
		r.list = append(r.list, s)
	}
	return originsql.NewRows(nil), nil
}

// AllStatements calls each method of the store that takes values and returns
// their statements, each text once. Statements for wrangler's database only are
// left out.
func AllStatements(ctx context.Context) []originsql.Statement {
	r := &recorder{seen: map[string]bool{"SELECT name FROM d1_migrations ORDER BY name": true}}
	store := reflect.ValueOf(originsql.OverBackend(r))
	for i := range store.NumMethod() {
		method := store.Method(i)
		call := method.Call
		if method.Type().IsVariadic() {
			call = method.CallSlice
		}
		if args, ok := argumentsOf(ctx, method.Type()); ok {
			call(args)
		}
	}
	return r.list
}

// argumentsOf makes arguments: lists of one element, and texts that are not "".
func argumentsOf(ctx context.Context, method reflect.Type) (args []reflect.Value, ok bool) {
	for i := range method.NumIn() {
		in := method.In(i)
		v := reflect.New(in).Elem()
		switch in.Kind() {
		case reflect.Func:
			return nil, false
		case reflect.Interface:
			v = reflect.ValueOf(ctx)
		case reflect.Slice:
			v = reflect.MakeSlice(in, 1, 1)
		case reflect.Pointer:
			v = reflect.New(in.Elem())
		case reflect.Struct:
			fillTexts(v)
		}
		args = append(args, v)
	}
	return args, method.NumIn() > 0
}

func fillTexts(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.Bool:
			f.SetBool(true)
		}
	}
}
