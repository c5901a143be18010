// Made from worker/access by "go test ./worker/edgejs -run TestGuardScript -update".

// Product tokens of agents that a policy may deny, as whole words.
const agents = /(?<![a-z0-9_-])(?:ai2bot|ai2bot-dolma|aihitbot|amazonbot|amzn-user|anthropic-ai|bytespider|ccbot|chatgpt-user|claude-user|claude-web|claudebot|cohere-ai|cohere-training-data-crawler|cotoyogi|crawl4ai|deepseekbot|diffbot|duckassistbot|facebookbot|firecrawlagent|gemini-deep-research|google-agent|google-cloudvertexbot|google-notebooklm|googleagent-mariner|googleagent-urlcontext|gptbot|iaskspider|icc-crawler|imagesiftbot|img2dataset|kangaroo bot|kimi-user|laiondownloader|manus-user|meta-externalagent|meta-externalfetcher|mistralai-user|novaact|omgili|omgilibot|pangubot|perplexity-user|phindbot|quillbot|sbintuitionsbot|tavilybot|timpibot|velenpublicwebcrawler|colophon-check-training|colophon-check-inference)(?![a-z0-9_-])/i;

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
