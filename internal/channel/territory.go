package channel

// alphaCodes pairs ISO 3166-1 alpha-3 with alpha-2 codes, for ODRL, which
// writes the long ones.
const alphaCodes = "ARE AE ARG AR AUS AU AUT AT BEL BE BGD BD BGR BG BRA BR CAN CA CHE CH CHL CL CHN CN COL CO " +
	"CYP CY CZE CZ DEU DE DNK DK DZA DZ EGY EG ESP ES EST EE ETH ET FIN FI FRA FR GBR GB GHA GH GRC GR HKG HK " +
	"HRV HR HUN HU IDN ID IND IN IRL IE ISL IS ISR IL ITA IT JPN JP KAZ KZ KEN KE KOR KR KWT KW LIE LI LTU LT " +
	"LUX LU LVA LV MAR MA MEX MX MLT MT MYS MY NGA NG NLD NL NOR NO NZL NZ OMN OM PAK PK PER PE PHL PH POL PL " +
	"PRT PT QAT QA ROU RO RUS RU SAU SA SGP SG SRB RS SVK SK SVN SI SWE SE THA TH TUN TN TUR TR TWN TW UKR UA " +
	"URY UY USA US VEN VE VNM VN ZAF ZA "

func toAlpha2(three string) string {
	for i := 0; i+7 <= len(alphaCodes); i += 7 {
		if alphaCodes[i:i+3] == three {
			return alphaCodes[i+4 : i+6]
		}
	}
	return ""
}
