package generator

import (
	"colophon/exports"
	"colophon/internal/wire"
)

// answers names the schema of what an operation answers with.
var answers = map[string]string{
	"list_marketplace_categories": "category_list", "get_marketplace_category": "category_detail", "list_marketplace_publishers": "publisher_list",
	"get_publisher": "publisher", "get_publisher_inventory": "inventory", "search_content_catalog": "search", "licensing_feed": "feed",
	"buyer_demand": "demand_list", "get_network_stats": "stats", "license_catalog": "offer_list", "site_records": "record_list",
	"get_record": "record", "get_citation": "citation", "ai_rights_map": "map", "map_publisher": "map_record",
}

// schemas are the component schemas: those of records come from the records.
func schemas() []wire.Member {
	out := []wire.Member{
		m("publisher", wire.Schema(&exports.Publisher{}, true)), m("publisher_summary", wire.Schema(&exports.PublisherSummary{}, true)),
		m("entry", wire.Schema(&exports.Entry{}, true)), m("feed_record", wire.Schema(&exports.FeedRecord{}, true)),
		m("search_hit", wire.Schema(&exports.SearchHit{}, true)), m("category", wire.Schema(&exports.Category{}, true)),
		m("demand", wire.Schema(&exports.Demand{}, true)), m("stats", wire.Schema(&exports.Stats{}, true)),
		m("offer", wire.Schema(&exports.Offer{}, true)), m("record", wire.Schema(&exports.Record{}, true)),
		m("citation", wire.Schema(&exports.Citation{}, true)), m("map_record", wire.Schema(&exports.MapRecord{}, true)),
		m("problem", problemSchema()),
	}
	for _, l := range [][2]string{
		{"category_list", "category"}, {"category_detail", "publisher_summary"}, {"publisher_list", "publisher_summary"}, {"inventory", "entry"},
		{"search", "search_hit"}, {"feed", "feed_record"}, {"demand_list", "demand"}, {"offer_list", "offer"}, {"record_list", "record"}, {"map", "map_record"},
	} {
		out = append(out, m(l[0], listSchema(l[1])))
	}
	return append(out, bodySchemas()...)
}

func listSchema(item string) wire.Value {
	v := wire.Schema(&exports.List[exports.Entry, *exports.Entry]{}, true)
	props := v.Get("properties").With("data", obj(m("type", str("array")), m("items", ref(item))))
	return v.With("properties", props)
}

func problemSchema() wire.Value {
	return obj(m("type", str("object")), m("required", strs("type", "title", "status", "code", "request_id", "grants_rights")), m("properties", obj(
		m("type", obj(m("type", str("string")))), m("title", obj(m("type", str("string")))), m("status", obj(m("type", str("integer")))),
		m("detail", obj(m("type", str("string")))), m("instance", obj(m("type", str("string")))), m("code", obj(m("type", str("string")))),
		m("request_id", obj(m("type", str("string")))), m("grants_rights", obj(m("const", wire.Bool(false)))),
		m("errors", obj(m("type", str("array")), m("items", obj(m("type", str("object")))))),
	)))
}

// bodySchemas are those of request bodies.
func bodySchemas() []wire.Member {
	var out []wire.Member
	seen := map[string]bool{}
	for _, e := range exports.Surface {
		if e.Body == "" || seen[e.Body] {
			continue
		}
		seen[e.Body] = true
		body, ok := exports.BodySchema(e.Body)
		if !ok {
			body = obj(m("type", str("object")))
		}
		out = append(out, m(e.Body, body))
	}
	return out
}

// intentSchema is the JSON Schema of intents, requests and messages.
func (b *build) intentSchema() wire.Value { return exports.IntentSchema(b.opt.BaseURL) }
