package record_test

import (
	"fmt"
	"strings"
	"testing"

	"colophon/internal/outcome"
	"colophon/internal/record"
)

const keyFileText = `{"exp":1826668800,"format":"service.signing-key.v1","kid":"FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk",` +
	`"nbf":1795132800,"seed":"TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs","status":"active"}` + "\n"

func TestKeyFile(t *testing.T) {
	v := loadVectors(t)
	var seed [32]byte
	copy(seed[:], unhex(t, v.Keys[1].SeedHex))
	made, err := record.NewKeyFile(seed, 1795132800, 1826668800, record.KeyActive)
	if err != nil || string(record.AppendKeyFile(nil, made)) != keyFileText {
		t.Fatalf("%s, %v", record.AppendKeyFile(nil, made), err)
	}
	read, err := record.ParseKeyFile([]byte(keyFileText))
	if err != nil || read != made {
		t.Fatalf("%v, %v", read, err)
	}
	if k, err := record.NewKeyFile(seed, 1795132800, 1795132800, record.KeyActive); err != outcome.KeyMalformed {
		t.Errorf("a key that is never in force: %v, %v", k, err)
	}
	signer, err := read.Signer()
	if err != nil || signer.KeyID() != v.Records[3].KeyID {
		t.Errorf("signer of another key: %v", err)
	}
	key, err := read.Key()
	if want := v.keySet(t).Find(read.KeyID); err != nil || key != *want {
		t.Errorf("public half %+v, %v; want %+v", key, err, *want)
	}
}

func TestKeyFileRefuses(t *testing.T) {
	for _, c := range []struct{ name, from, to string }{
		{"seed one bit off", `"seed":"TM0`, `"seed":"TM1`},
		{"seed padded", `pvs"`, `pvs="`},
		{"seed short", `pvs"`, `pv"`},
		{"seed trailing bits", `pvs"`, `pvt"`},
		{"no seed", `"seed":"TM0Imyj_ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U-4pvs",`, ``},
		{"other kid", `"kid":"F`, `"kid":"G`},
		{"unknown status", `"active"`, `"used"`},
		{"unknown member", `"nbf"`, `"nbx":1,"nbf"`},
		{"exp before nbf", `"exp":1826668800`, `"exp":1795132800`},
		{"other format", `signing-key.v1`, `signing-key.v2`},
		{"two values", "}\n", "}{}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := strings.Replace(keyFileText, c.from, c.to, 1)
			if bad == keyFileText {
				t.Fatal("nothing changed")
			}
			k, err := record.ParseKeyFile([]byte(bad))
			if err == nil {
				t.Fatalf("accepted as %v", k)
			}
			if encoding := c.name == "seed padded" || c.name == "seed short" || c.name == "seed trailing bits"; encoding && !strings.Contains(err.Error(), "seed") {
				t.Errorf("the error does not name the seed: %v", err)
			}
			if strings.Contains(err.Error(), "TM0") || strings.Contains(err.Error(), "Imyj") {
				t.Errorf("the error holds the seed: %v", err)
			}
		})
	}
}

func TestKeyFileKeepsItsSeedOutOfLogs(t *testing.T) {
	k, err := record.ParseKeyFile([]byte(keyFileText))
	must(t, err)
	for _, s := range []string{fmt.Sprint(k), fmt.Sprintf("%+v", &k)} {
		if s != "key "+k.KeyID {
			t.Errorf("printed as %q", s)
		}
	}
}

func TestKeyFileKeepsARevocation(t *testing.T) {
	k, err := record.ParseKeyFile([]byte(keyFileText))
	must(t, err)
	k.Status, k.Revoked = record.KeyRetired, &record.Revocation{At: 1796000000, Reason: "copied", TrustedTreeSize: 17}
	back, err := record.ParseKeyFile(record.AppendKeyFile(nil, k))
	if err != nil || back.Revoked == nil || *back.Revoked != *k.Revoked {
		t.Fatalf("%+v, %v", back.Revoked, err)
	}
	public, err := back.Key()
	if err != nil || public.Revoked == nil || public.Revoked.TrustedTreeSize != 17 {
		t.Errorf("the public half does not say so: %+v, %v", public, err)
	}
}
