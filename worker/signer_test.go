package worker_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	provrecord "colophon/internal/record"
	"colophon/worker/access"
)

// testSigner is the key of the agent at signer.example.
var testSigner = ed25519.NewKeyFromSeed([]byte(strings.Repeat("k", 32)))

func signerKeys() string {
	return `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + base64.RawURLEncoding.EncodeToString(testSigner.Public().(ed25519.PublicKey)) + `"}]}`
}

// signerDirectory answers for the directories of signers on the internet.
func signerDirectory(_ context.Context, url string) (int, []byte, error) {
	if url == "https://signer.example"+access.DirectoryPath {
		return 200, []byte(signerKeys()), nil
	}
	return 404, nil, nil
}

// signedFields returns the fields of a request to host that an agent signed.
func signedFields(host, agent, nonce string, now time.Time) map[string]string {
	agent = `"https://` + agent + `"`
	id := provrecord.Thumbprint([32]byte(testSigner.Public().(ed25519.PublicKey)))
	params := fmt.Sprintf(`("@authority" "signature-agent";key="sig1");created=%d;expires=%d;keyid="%s";alg="ed25519";tag="web-bot-auth"`, now.Unix()-10, now.Unix()+300, id)
	if nonce != "" {
		params += `;nonce="` + nonce + `"`
	}
	base := "\"@authority\": " + host + "\n\"signature-agent\";key=\"sig1\": " + agent + "\n\"@signature-params\": " + params
	return map[string]string{
		"signature_agent": "sig1=" + agent, "signature_input": "sig1=" + params,
		"signature": "sig1=:" + base64.StdEncoding.EncodeToString(ed25519.Sign(testSigner, []byte(base))) + ":",
	}
}
