package agents

import "colophon/exports"

// The documents of operators. A copy from an archive bears the archive's date.
var (
	openAI = &Document{"https://developers.openai.com/api/docs/bots", "2026-04-19", "2026-11-28"}
	claude = &Document{"https://support.claude.com/en/articles/8896518", "2026-04-19", "2026-11-28"}
	amazon = &Document{"https://developer.amazon.com/amazonbot", "2026-04-19", "2026-11-28"}
	ccBot  = &Document{"https://commoncrawl.org/faq", "2026-05-28", "2026-11-28"}

	googleCrawlers = &Document{"https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers", "", "2026-11-28"}
	googleFetchers = &Document{"https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers", "", "2026-11-28"}
	apple          = &Document{"https://support.apple.com/en-us/119829", "", "2026-11-28"}
	meta           = &Document{"https://developers.facebook.com/docs/sharing/webmasters/web-crawlers", "", "2026-11-28"}
	perplexity     = &Document{"https://docs.perplexity.ai/docs/resources/perplexity-crawlers", "", "2026-11-28"}

	ai2          = &Document{"https://allenai.org/crawler", "", "2026-11-21"}
	aiHit        = &Document{"https://www.aihitdata.com/about", "", "2026-11-21"}
	cotoyogi     = &Document{"https://ds.rois.ac.jp/en_center8/en_crawler", "", "2026-11-21"}
	duckDuckGo   = &Document{"https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot", "", "2026-11-21"}
	facebook     = &Document{"https://developers.facebook.com/docs/sharing/bot", "", "2026-11-21"}
	imageSift    = &Document{"https://imagesift.com/about", "", "2026-11-21"}
	img2dataset  = &Document{"https://github.com/rom1504/img2dataset", "", "2026-11-21"}
	laion        = &Document{"https://laion.ai/faq", "", "2026-11-21"}
	mistral      = &Document{"https://docs.mistral.ai/robots", "", "2026-11-21"}
	sbIntuitions = &Document{"https://www.sbintuitions.co.jp/en/bot", "", "2026-11-21"}
	webz         = &Document{"https://webz.io/blog/web-data/what-is-the-omgili-bot-and-why-is-it-crawling-your-website", "", "2026-11-21"}
	you          = &Document{"https://about.you.com/youbot", "", "2026-11-21"}
)

var (
	training  = []exports.Use{exports.UseTraining}
	retrieval = []exports.Use{exports.UseRAG}
	search    = []exports.Use{exports.UseSearchIndexing}

	// Google-Extended is also about grounding, says Google Cloud's page on
	// grounding with Google Search.
	trainOrGround = []exports.Use{exports.UseTraining, exports.UseRAG}
)

// Known lists the agents in the order in which they are shown. A row without a document follows the public
// list github.com/ai-robots-txt/ai.robots.txt, or names a crawler that everybody
// knows, whose operator's page was not found.
var Known = []Agent{
	{Token: "gptbot", Name: "GPTBot", Operator: "OpenAI", Uses: training, Source: openAI},
	{Token: "oai-searchbot", Name: "OAI-SearchBot", Operator: "OpenAI", Uses: search, Source: openAI},
	{Token: "chatgpt-user", Name: "ChatGPT-User", Operator: "OpenAI", Uses: retrieval, Source: openAI, MayIgnore: true},
	{Token: "claudebot", Name: "ClaudeBot", Operator: "Anthropic", Uses: training, Source: claude},
	{Token: "claude-searchbot", Name: "Claude-SearchBot", Operator: "Anthropic", Uses: search, Source: claude},
	{Token: "claude-user", Name: "Claude-User", Operator: "Anthropic", Uses: retrieval, Source: claude},
	{Token: "google-extended", Name: "Google-Extended", Operator: "Google", Uses: trainOrGround, Source: googleCrawlers, Crawler: "googlebot"},
	{Token: "googlebot", Name: "Googlebot", Operator: "Google", Uses: search, Source: googleCrawlers},
	{Token: "google-cloudvertexbot", Name: "Google-CloudVertexBot", Operator: "Google", Uses: retrieval, Source: googleCrawlers},
	{Token: "google-agent", Name: "Google-Agent", Operator: "Google", Uses: retrieval, Source: googleFetchers, MayIgnore: true},
	{Token: "google-gemininotebook", Name: "Google-GeminiNotebook", Operator: "Google", Uses: retrieval, Source: googleFetchers, MayIgnore: true},
	{Token: "bingbot", Name: "bingbot", Operator: "Microsoft", Uses: search},
	{Token: "applebot-extended", Name: "Applebot-Extended", Operator: "Apple", Uses: training, Source: apple, Crawler: "applebot"},
	{Token: "applebot", Name: "Applebot", Operator: "Apple", Uses: search, Source: apple, Follows: "googlebot"},
	{Token: "meta-externalagent", Name: "Meta-ExternalAgent", Operator: "Meta", Uses: training, Source: meta},
	{Token: "facebookbot", Name: "FacebookBot", Operator: "Meta", Uses: training, Source: facebook},
	{Token: "meta-webindexer", Name: "Meta-WebIndexer", Operator: "Meta", Uses: search, Source: meta},
	{Token: "meta-externalfetcher", Name: "Meta-ExternalFetcher", Operator: "Meta", Uses: retrieval, Source: meta, MayIgnore: true},
	{Token: "amazonbot", Name: "Amazonbot", Operator: "Amazon", Uses: training, Source: amazon},
	{Token: "amzn-searchbot", Name: "Amzn-SearchBot", Operator: "Amazon", Uses: search, Source: amazon},
	{Token: "amzn-user", Name: "Amzn-User", Operator: "Amazon", Uses: retrieval, Source: amazon},
	{Token: "perplexitybot", Name: "PerplexityBot", Operator: "Perplexity", Uses: search, Source: perplexity},
	{Token: "perplexity-user", Name: "Perplexity-User", Operator: "Perplexity", Uses: retrieval, Source: perplexity, MayIgnore: true},
	{Token: "ccbot", Name: "CCBot", Operator: "Common Crawl", Uses: training, Source: ccBot},
	{Token: "bytespider", Name: "Bytespider", Operator: "ByteDance", Uses: training},
	{Token: "mistralai-index", Name: "MistralAI-Index", Operator: "Mistral AI", Uses: search, Source: mistral},
	{Token: "mistralai-user", Name: "MistralAI-User", Operator: "Mistral AI", Uses: retrieval, Source: mistral},
	{Token: "duckassistbot", Name: "DuckAssistBot", Operator: "DuckDuckGo", Uses: retrieval, Source: duckDuckGo},
	{Token: "youbot", Name: "YouBot", Operator: "You.com", Uses: search, Source: you},

	{Token: "ai2bot", Name: "AI2Bot", Operator: "Ai2", Uses: training, Source: ai2},
	{Token: "ai2bot-dolma", Name: "AI2Bot-Dolma", Operator: "Ai2", Uses: training, Source: ai2},
	{Token: "aihitbot", Name: "aiHitBot", Operator: "aiHit", Uses: training, Source: aiHit},
	{Token: "cotoyogi", Name: "Cotoyogi", Operator: "ROIS", Uses: training, Source: cotoyogi},
	{Token: "imagesiftbot", Name: "ImagesiftBot", Operator: "ImageSift", Uses: training, Source: imageSift},
	{Token: "img2dataset", Name: "img2dataset", Uses: training, Source: img2dataset},
	{Token: "laiondownloader", Name: "LAIONDownloader", Operator: "LAION", Uses: training, Source: laion},
	{Token: "omgili", Name: "omgili", Operator: "Webz.io", Uses: training, Source: webz},
	{Token: "sbintuitionsbot", Name: "SBIntuitionsBot", Operator: "SB Intuitions", Uses: training, Source: sbIntuitions},
	{Token: "anthropic-ai", Name: "anthropic-ai", Operator: "Anthropic", Uses: training},
	{Token: "claude-web", Name: "Claude-Web", Operator: "Anthropic", Uses: training},
	{Token: "cohere-ai", Name: "cohere-ai", Operator: "Cohere", Uses: retrieval},
	{Token: "cohere-training-data-crawler", Name: "cohere-training-data-crawler", Operator: "Cohere", Uses: training},
	{Token: "crawl4ai", Name: "Crawl4AI", Uses: retrieval},
	{Token: "deepseekbot", Name: "DeepSeekBot", Operator: "DeepSeek", Uses: training},
	{Token: "diffbot", Name: "Diffbot", Operator: "Diffbot", Uses: training},
	{Token: "firecrawlagent", Name: "FirecrawlAgent", Operator: "Firecrawl", Uses: retrieval},
	{Token: "gemini-deep-research", Name: "Gemini-Deep-Research", Operator: "Google", Uses: retrieval},
	{Token: "google-notebooklm", Name: "Google-NotebookLM", Operator: "Google", Uses: retrieval},
	{Token: "googleagent-mariner", Name: "GoogleAgent-Mariner", Operator: "Google", Uses: retrieval},
	{Token: "googleagent-urlcontext", Name: "GoogleAgent-URLContext", Operator: "Google", Uses: retrieval},
	{Token: "iaskspider", Name: "iaskspider", Uses: retrieval},
	{Token: "icc-crawler", Name: "ICC-Crawler", Operator: "NICT", Uses: training},
	{Token: "kangaroo bot", Name: "Kangaroo Bot", Uses: training},
	{Token: "kimi-user", Name: "Kimi-User", Uses: retrieval},
	{Token: "manus-user", Name: "Manus-User", Uses: retrieval},
	{Token: "novaact", Name: "NovaAct", Uses: retrieval},
	{Token: "omgilibot", Name: "omgilibot", Operator: "Webz.io", Uses: training},
	{Token: "pangubot", Name: "PanguBot", Uses: training},
	{Token: "phindbot", Name: "PhindBot", Uses: retrieval},
	{Token: "quillbot", Name: "QuillBot", Uses: retrieval},
	{Token: "tavilybot", Name: "TavilyBot", Operator: "Tavily", Uses: retrieval},
	{Token: "timpibot", Name: "Timpibot", Operator: "Timpi", Uses: training},
	{Token: "velenpublicwebcrawler", Name: "VelenPublicWebCrawler", Uses: training},
}
