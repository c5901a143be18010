// Made from worker/access by "go test ./worker/edgejs -run TestGuardScript -update".

// Product tokens of agents that a policy may deny, as whole words.
const agents = /(?<![a-z0-9_-])(?:gptbot|chatgpt-user|claudebot|claude-user|google-cloudvertexbot|google-agent|google-gemininotebook|meta-externalagent|facebookbot|meta-externalfetcher|amazonbot|amzn-user|perplexity-user|ccbot|bytespider|mistralai-user|duckassistbot|ai2bot|ai2bot-dolma|aihitbot|cotoyogi|imagesiftbot|img2dataset|laiondownloader|omgili|sbintuitionsbot|anthropic-ai|claude-web|cohere-ai|cohere-training-data-crawler|crawl4ai|deepseekbot|diffbot|firecrawlagent|gemini-deep-research|google-notebooklm|googleagent-mariner|googleagent-urlcontext|iaskspider|icc-crawler|kangaroo bot|kimi-user|manus-user|novaact|omgilibot|pangubot|phindbot|quillbot|tavilybot|timpibot|velenpublicwebcrawler|colophon-check-training|colophon-check-inference)(?![a-z0-9_-])/i;

// Paths that are never denied. Dots and escapes are not resolved: a path that
// has any is not free.
const free = /^(?:\/robots\.txt$|\/sitemap.*\.xml$|\/ai-rights-map-sitemap\.xml$|\/license\.xml$|\/ai\.txt$|\/llms\.txt$|\/\.well-known\/|\/v1\/public\/|\/v1\/agent\/|\/problems\/)/;
const unclear = /[%\\]|\/\.\.?(?:\/|$)|\/\//;

export const isFree = (path) => free.test(path) && !unclear.test(path);

// Browsers repeat their User-Agent, so what was found is kept, up to a bound.
const known = new Map();

// isAgent knows by User-Agent an agent that a policy may deny.
export function isAgent(userAgent) {
  if (!userAgent) return false;
  let found = known.get(userAgent);
  if (found === undefined) {
    if (known.size >= 512) known.clear();
    known.set(userAgent, found = agents.test(userAgent));
  }
  return found;
}
