package iscc

import (
	"errors"
	"strings"
	"testing"
)

// TestNormalize accepts the codes of content among the conformance cases of the
// standard's reference implementation (iscc-core 1.2), and no others.
func TestNormalize(t *testing.T) {
	for _, code := range []string{
		"ISCC:EAASKDNZNYGUUF5A", "ISCC:EADTJCW2DT555KK6DEQAR5DQT7VYJGZM6CXHG3BM56WOMQDDVS7754I", "ISCC:EABZHFKU6PNI7UVWYEEIQLOYHYLX6",
		"ISCC:EED4GQZQTY6J5DTHQ2DWCPDZHQOM6QZQTY6J5DTFZ2DWCPDZHQOMXDI", "ISCC:EIBQAAAAAEAAAAABAAAAAAAAAAAAA",
		"ISCC:EIDWUJFCEZZOJYVDHJHIRB3KQSQCM2REUITDUTVAQNRGJIRENCCCULY", "ISCC:EMBZEMGSDFIB4AHUEZSLJPJANMAAY", "ISCC:EQASNZJ36ZT33AL7",
		"ISCC:GABXOD4P2IS6YHS2XOK6IBVPVXPPG", "ISCC:IAD66JNRTSKU5FLU2L7POWZNQTYKDOYQRGQJLJ24E5DWM7MPWYAPH7Q",
		"ISCC:KACYPXW445FTYNJ3CYSXHAFJMA2HUWULUNRFE3BLHRSCXYH2M5AEGQY", "ISCC:KAARMJLTQCUWAND2LKF2GYSSNQVTYZBL4D5GOQCDIM",
		"ISCC:KUAFVC5DMJJGYKZ4MQV6B6THIBBUG", "ISCC:KUAAQICFKJYKY4KUMQV6B6THIBBUG",
	} {
		bare := strings.TrimPrefix(code, codePrefix)
		for _, spelt := range []string{code, bare, strings.ToLower(code)} {
			if got, err := Normalize(spelt); got != code || err != nil {
				t.Errorf("%s: %q, %v", spelt, got, err)
			}
		}
		for _, broken := range []string{code + "A", code[:len(code)-1], code[:len(code)-8], code[:8] + "1" + code[9:], code + "="} {
			if got, err := Normalize(broken); !errors.Is(err, ErrContent) {
				t.Errorf("%s: %q, %v", broken, got, err)
			}
		}
	}
	empty := Sum("")
	for name, code := range map[string]string{
		"an empty text": "ISCC:EAASL4F2WZY7KBXB", "in 256 bits": empty.String(), "in 96 bits": empty.Prefix(96), "nothing": "", "a prefix": codePrefix, "a word": "ISCC:HELLO", "a header": "ISCC:EAAQ",
		"Meta-Code": "ISCC:AAAZXZ6OU74YAZIM", "Semantic-Code": "ISCC:CAASL4F2WZY7KBXB", "ISCC-ID": "ISCC:MAASL4F2WZY7KBXB", "32 bits": "ISCC:EAAABAIC",
		"another version": "ISCC:EAISL4F2WZY7KBXB", "no content": "ISCC:EEAQAAAAAAAAAAAA", "trailing bits": "ISCC:EIDQAAAAAMAAAAABAAAAAAQAAAAAAAAAAAAAAAAAAEAAAAACAAAAAAB",
	} {
		if got, err := Normalize(code); !errors.Is(err, ErrContent) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
