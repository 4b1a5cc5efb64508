/** Words that a question has, and that nearly every page has too. */
const STOP_WORDS = new Set(
  `a am an and are as at be been by can could did do does for from get gets got had happen happens has have how i if in into is it its
  know me must my now of on or our please s should so that the their them there they this to today want was we were what
  when where which while who why will with would you your`.split(/\s+/),
);

/** Words that readers use, each with the words that the pages use. */
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/\bstorage (charge|cost|fee)s?\b|\bpay (for )?storage\b/gi, 'demurrage'],
  [/\b(containers? )?(is|are)? ?costing( me| us)? money\b/gi, 'worklists demurrage'],
  [/\b(spreadsheet|excel|xlsx)s?( csv)?( export)?\b|\bcsv export\b/gi, 'output json csv'],
  [/\bchange (the )?time ?zone\b/gi, 'times iso utc'],
  [/\bkey (is|was) (rejected|invalid|refused|not accepted)\b/gi, 'key refused'],
  [/\bpostgres\b/gi, 'postgresql'],
  [
    /\b(store|write|put|load|import) (it |them |data )?((in|into|to) (a |the |my |our )?postgresql)\b/gi,
    'save to postgresql',
  ],
  [
    /\b(store|save|write|put) (it |them |data )?(in|into|to) (a |the |my |our )?(sqlite|database)\b/gi,
    'your own database',
  ],
  [/\btoo many requests\b/gi, 'rate limits'],
  [/\b(not|never|stopped) moving\b|\bno (news|updates?)\b/gi, 'worklists silent'],
  [/\b(which )?(carriers?|shipping lines?) (is|are) supported\b|\bsupported carriers\b/gi, 'carriers scac'],
  [/\b(delete|remove) (a |the |my )?(shipment|container)s?\b/gi, 'stop tracking'],
  [/\bget (the |my |a )?(pdf|file|document)s? back\b/gi, 'download $2'],
  [/\b(requests|calls) per (second|minute|hour)\b/gi, 'rate limits'],
  [/\b(retry|repeat) (a )?failed (request|call)s?\b/gi, 'retry'],
  [/\b(retry|repeat) (a )?failed (webhook|notification|delivery|event)s?\b/gi, 'retry dead letters'],
  [/\b(pick up|be (picked up|collected))\b/gi, 'worklists ready pickup'],
  [/\b(server|program|app)s? (is|was|were) (down|offline|stopped)\b|\bdowntime\b/gi, 'outage'],
  [/\b(which )?(containers?|shipments?) (is|are) late\b/gi, 'overdue'],
  [/\btime ?zones? of (dates?|days?|times?)\b/gi, 'times iso utc'],
  [/\bslack\b|\bget notified\b/gi, 'alerts'],
  [/\brollover\b/gi, 'rolled'],
  [/\b(mysql|mariadb)\b/gi, 'sqlite postgresql'],
  [
    /\b(program|app|call|request)?s? ?(hangs?|(is|are) (so |too )?slow|takes? (a minute|(so |too )?long))\b/gi,
    'call waits',
  ],
  [/\bwhere (is|are) (a|the|my|our) (container|shipment)s?\b/gi, 'reading journey'],
  [/\bbulk (import|upload|track).*/gi, 'many numbers'],
  [/\beta (changes?|changed|moves?|moved)\b|\bchanged? (of )?(the )?eta\b/gi, 'estimates of arrival moved'],
  [/\bpredict(ed|ion)?( of)?( the)? arrival\b/gi, 'eta'],
  [/\bnumber (is )?not found\b/gi, 'tracking failures'],
  [/\bcarrier codes?\b/gi, 'scac'],
  [/\b(what|how much) does (it|this) cost\b/gi, 'costs requests'],
  [/\btypescript types?\b/gi, 'types'],
  [/\bhealth ?checks?\b/gi, 'probe'],
  [/\bdocker( compose)?\b/gi, 'kubernetes'],
  [/\b(vercel|netlify|(azure|cloud) functions?)\b/gi, 'serverless'],
  [/\bmulti[- ]?tenant\b/gi, 'several accounts'],
  [/\bfake (timers?|clock|time)\b/gi, 'advance clock'],
  [/\bfake (api|data|server)\b/gi, 'sandbox'],
  [/\b(python|java|php|ruby|golang|rust|dotnet)( client| sdk| library)?\b/gi, 'openapi language'],
  [/\b(migrate from )?(axios|superagent|node-fetch)\b/gi, 'hand-written fetch'],
  [/\b(claude|chatgpt|copilot)\b/gi, 'tools ai clients mcp'],
  [/\b(find|look up|look for) (a|the|my) (shipment|container)\b/gi, 'search shipment number'],
  [/\b(service|api) (is|was) (down|offline|not available|unavailable)\b/gi, 'what is repeated'],
  [/\bunsubscribe\b/gi, 'delete webhook'],
  [/\bunauthori[sz]ed\b/gi, '401'],
  [/\bexport (to |as )?(json|csv)\b/gi, 'output json csv'],
];

/** The text of a query, with the words that the pages use. */
export function inWordsOfPages(query: string): string {
  return SYNONYMS.reduce((text, [theirs, ours]) => text.replace(theirs, ours), query);
}

/** The words of a query without stop words, or all of them if the query is short. */
export function withoutStopWords(words: readonly string[]): readonly string[] {
  const others = words.filter(word => !STOP_WORDS.has(word));
  return words.length > 2 && others.length > 0 ? others : words;
}
