package origin

type Bodies interface {
	OpenBody(id string) string
	RawBody(id string) string
}
