/** The groups of measurements in the order of the page: the name on the command line, and notes for the reader. */
export const GROUPS = {
  overhead: {
    title: 'A request',
    about:
      'The time of a call that reads a shipment with everything that it includes (13 kB), from a server on the same machine. ' +
      'Plain `fetch` reads and parses the same response. The other clients run in the same process, and take turns. ' +
      '`fetch with a signal and a timer` shows the cost of a timeout alone. "Off" and "warn" are values of the option `validation`.',
  },
  draining: {
    title: 'A long list',
    about:
      'The time until the last record of a list has arrived, in order, from a server that takes 50 ms for each page.',
  },
  linking: {
    title: 'Linking included records',
    about:
      'The time to link the records of a page to each other, as a multiple of the time of `JSON.parse` for the same page.',
  },
  validating: {
    title: 'Validating responses',
    about:
      'The time that the check of a response against the schemas adds, as a multiple of the time of `JSON.parse` for the same response.',
  },
  verifying: {
    title: 'Verifying a delivery',
    about:
      'The time to verify and read one webhook delivery. The other packages do not check the payload and link no records. ' +
      'The time depends mainly on the function that computes the digest: `node:crypto` or WebCrypto.',
  },
  feed: {
    title: 'A feed beside other calls',
    about:
      'The 95th percentile of the time of calls that use 80 % of the rate limit, while a feed follows 500 containers with the same key. ' +
      'The time of a call includes its wait for a slot.',
  },
  polling: {
    title: 'Following an account',
    about:
      'The number of requests in an hour, in two cases: everything is read every five minutes (as version 0.1.0 did), or only changes are read. ' +
      'The service is simulated: it has two containers for each shipment, sorts its lists, and sends 50 containers on a page. ' +
      'The number includes a 24th of the daily reading of everything. The column "at least" counts one page of each list at each reading, ' +
      'and more pages if the changed containers need them. With webhooks, sync reads a record if a notification names it without its values. ' +
      'It also searches for missed notifications four times an hour. The sandbox sends about 30 notifications an hour for 999 containers.',
  },
  'cold-start': {
    title: 'Start of a process',
    about:
      'The time from the start of a process to its first value, and to its end. The process uses the packed and installed package.',
  },
  import: {
    title: 'Importing',
    about: 'The time of `import()` of an entry in a fresh process, minus the time for an empty package.',
  },
  'mcp-start': {
    title: 'Start of the MCP server',
    about:
      'The time from the start of a process to the response to `initialize`, compared with a server without any tool.',
  },
  sizes: {
    title: 'Sizes',
    about:
      'The sizes of imports in a bundle. "At once" is the part that a page loads at its start, without the parts that are loaded on first use.',
  },
} as const;

export type GroupName = keyof typeof GROUPS;
