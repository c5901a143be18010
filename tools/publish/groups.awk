# Count the files of the second list that the first has not, or has with other
# content, by what they are of.
# Usage: awk -f groups.awk BEFORE AFTER, two lists of published files, as the
# tiles of the signed list have them.

function group_of(name) {
	sub(/\.gz$/, "", name)
	if (name ~ /^_ix\//) return "index, " kind_of_index(name)
	if (name ~ /^_packs\//) return "packs"
	if (name ~ /ent_[0-9a-z]+/) return "entries"
	if (name ~ /^publishers\/[^\/]+\/pages\//) return "publishers, pages of their inventory"
	if (name ~ /\/content-inventory\.json$|^v1\/public\/sites\/[^\/]+\/contentdna-provenance\.json$/) return "publishers, first pages of inventory and records"
	if (name ~ /^(publishers|rights-map)\/(index\.html|pages\/)/) return "everything else"
	if (name ~ /^(publishers|rights-map|v1\/public\/sites)\//) return "publishers, the rest"
	if (name ~ /^v1\/(licensing-marketplace|public\/ai-rights-map)\/publishers\//) return "publishers, the rest"
	if (name ~ /^v1\/public\/release\/files\//) return "signed list of files"
	if (name ~ /^(categories|v1\/public\/content-catalog)\//) return "categories"
	if (name ~ /^(ledger\/|v1\/public\/range\/|v1\/public\/release)/) return "ledger, ranges and tables"
	return "everything else"
}

# kind_of_index is the kind of a file of the index: _ix/GENERATION/KIND/…, in packs
# _ix/KIND/…
function kind_of_index(name, parts, kind) {
	split(name, parts, "/")
	kind = length(parts[2]) == 16 ? parts[3] : parts[2]
	if (kind == "l") return "ledger"
	if (kind == "e") return "pages"
	if (kind == "p" || kind == "f") return "lookups"
	return "the rest"
}

NR == FNR { before[$3] = $1; next }

before[$3] != $1 {
	files[group_of($3)]++
	bytes[group_of($3)] += $2
	if ($3 ~ /\.gz$/) packed[group_of($3)]++
}

END {
	for (name in files) {
		printf "%d files (%d of them compressed siblings), %.0f bytes: %s\n", files[name], packed[name], bytes[name], name | "sort -nr"
	}
}
