# The licensing side: inquiries, conversations and the partner API. Included
# by the Makefile.

.PHONY: bench-licensing test-licensing

bench-licensing: ## measure partner POST and GET natively for 60 s, and the timing of wrong keys
	go run ./cmd/inquirybench --seconds 60

test-licensing: ## scripts, races with kills, hostile bodies, notifications
	go test -count=1 ./exports ./internal/inquiry ./internal/originsql ./internal/notify ./internal/limiter ./worker
