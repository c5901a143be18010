##@ Channels

fuzz-channel: ## read 50,000 random and mutated documents of each channel
	COLOPHON_CHANNEL_DOCUMENTS=50000 go test ./generator -run 'TestMutatedDocuments' -count 1 -timeout 60m -v
