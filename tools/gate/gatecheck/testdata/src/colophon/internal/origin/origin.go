package origin

type Bodies interface {
	OpenBodies(id string) string
}
