// The pages that the tests look at: one of each kind, and those whose titles
// are in right-to-left scripts or in scripts without spaces.
const hrefs = async (base, path, pattern) => {
	const text = await (await fetch(base + path)).text();
	return [...new Set([...text.matchAll(/href="([^"?#]*)"/g)].map((m) => m[1]).filter((h) => pattern.test(h)))];
};

const iscc = async (base, e) => (await (await fetch(`${base}/v1/public/citations/${e.entry_id}.json`)).json()).fingerprints.iscc;

export async function places(base) {
	const feed = await (await fetch(base + "/v1/public/licensing-feed?limit=100")).json();
	const speaks = (language) => feed.data.find((e) => e.language?.startsWith(language));
	const [withRecord] = feed.data.filter((e) => e.fingerprint);
	const out = [
		"/", "/check/", `/check/?q=${encodeURIComponent(withRecord.url)}`, "/check/?q=harbor-ledger", "/check/?q=nobody.example", `/check/?q=${await iscc(base, withRecord)}`, "/catalog/?q=how+do+I+read+a+tide+table", "/catalog/", "/catalog/?q=shipping", "/catalog/?q=zzzzqqqq", "/categories/", ...(await hrefs(base, "/categories/", /^\/categories\/./)).slice(0, 1),
		"/publishers/", "/publishers/harbor-ledger/", "/publishers/harbor-ledger/pages/", "/publishers/harbor-ledger/policy/", "/publishers/harbor-ledger/request/", "/shortlist/", `/citations/${withRecord.entry_id}/`,
		"/rights-map/", "/rights-map/?q=harbor", "/rights-map/?q=zzzzqqqq", "/rights-map/harbor-ledger/", "/offers/", "/offers/?use=rag", "/publishers/?q=harbor", "/demand/?q=data", "/ledger/", "/ledger/?q=harbor", "/demand/", "/demand/new/", "/join/", "/status/", "/verify/", "/editor/", "/conversation/", "/developers/", ...await hrefs(base, "/developers/", /^\/developers\/./),
		"/problems/", "/problems/validation-failed/", "/nothing-here", "/v1/licensing-marketplace/publishers/nobody",
	];
	for (const language of ["ar", "fa", "he", "ja", "zh", "ko"]) {
		const e = speaks(language);
		if (e) out.push(`/citations/${e.entry_id}/`, `/publishers/${e.site_id}/`);
	}
	return [...new Set(out)];
}
