/** The groups of measurements in the order of the page: the name on the command line, and notes for the reader. */
export const GROUPS = {
  overhead: {
    title: 'A request',
    about:
      'The time of a call that reads a shipment with everything that it includes (13 kB), from a server on the same machine. ' +
      'Plain `fetch` reads and parses the same answer. The other clients run in the same process, and all take turns. ' +
      '`fetch with a signal and a timer` is what a timeout costs by itself. "Off" and "warn" are values of the option `validation`.',
  },
  draining: {
    title: 'A long list',
    about: 'The time until the last record of a list has come, in order, from a server that takes 50 ms for each page.',
  },
  linking: {
    title: 'Linking included records',
    about: 'The time to link the records of a page to each other, in units of `JSON.parse` of the same page.',
  },
  validating: {
    title: 'Validating answers',
    about:
      'The time that the check of a response against the schemas adds, in units of `JSON.parse` of the same response.',
  },
  verifying: {
    title: 'Verifying a delivery',
    about:
      'The time to verify and read one webhook delivery. The other packages do not check the payload and link no records. ' +
      'One step of the engine decides much: `node:crypto` or WebCrypto.',
  },
  feed: {
    title: 'A feed beside other calls',
    about:
      'The 95th percentile of the time of calls that use 80 % of the rate limit, while a feed follows 500 containers with the same key. ' +
      'Calls that wait for their turn are part of it.',
  },
  polling: {
    title: 'Following an account',
    about:
      'The requests of an hour when everything is read every five minutes, as 0.1.0 did, and when what has changed is read. The service ' +
      'is simulated: it has two containers a shipment, sorts, and gives 50 containers on a page. The daily reading of everything is part of it. ' +
      '"At least" is one page of each list at each time, and more where the changed containers fill them. With webhooks, sync reads the ' +
      'records that a notification names without their values, and looks four times an hour for what was missed. The sandbox sends about ' +
      '30 notifications an hour for 999 containers.',
  },
  'cold-start': {
    title: 'Start of a process',
    about: 'The time from the start of a process to its first value, and to its end: the packed package, installed.',
  },
  import: {
    title: 'Importing',
    about: 'The time of `import()` of an entry in a fresh process, above that of an empty package.',
  },
  'mcp-start': {
    title: 'Start of the MCP server',
    about: 'The time from the start of a process to the response to `initialize`, against a server without any tool.',
  },
  sizes: {
    title: 'Sizes',
    about:
      'The sizes of an import in a bundle. "At once" is the part that a page loads at its start, without the parts that are loaded on first use.',
  },
} as const;

export type GroupName = keyof typeof GROUPS;
