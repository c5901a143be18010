package main

import "colophon/internal/wire"

func main() { _ = wire.M("token", wire.String("x")) }
