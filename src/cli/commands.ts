import type { Command } from './command.ts';

interface Entry {
  readonly usage: string;
  readonly summary: string;
  load(): Promise<{ command: Command }>;
}

/** All commands. What they need is loaded when they are called, so that none pays for another. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  track: {
    usage: 'track NUMBER [--scac SCAC] [--type TYPE] [--wait 120]',
    summary: 'Tracks a bill of lading, booking or container, and prints the journey of its containers.',
    load: () => import('./commands/track.ts'),
  },
  search: {
    usage: 'search QUERY',
    summary: 'Finds shipments, containers and tracking requests.',
    load: () => import('./commands/search.ts'),
  },
  ...recordCommands('shipments', () => import('./commands/shipments.ts')),
  ...recordCommands('containers', () => import('./commands/containers.ts')),
  ...recordCommands('tracking-requests', () => import('./commands/tracking-requests.ts')),
  'documents upload': {
    usage: 'documents upload FILE [--name NAME] [--content-type TYPE]',
    summary: 'Uploads a document.',
    load: async () => ({ command: (await import('./commands/documents.ts')).upload }),
  },
  'documents download': {
    usage: 'documents download ID [--to FILE] [--force]',
    summary: 'Downloads the file of a document.',
    load: async () => ({ command: (await import('./commands/documents.ts')).download }),
  },
  'webhooks listen': {
    usage: 'webhooks listen [--url URL] [--port 4012] [--forward-to URL] [--event EVENT]',
    summary: 'Registers a webhook, and verifies, prints and forwards what it gets.',
    load: () => import('./commands/webhooks-listen.ts'),
  },
  'webhooks trigger': {
    usage: 'webhooks trigger EVENT --url URL',
    summary: 'Makes the service send a sample of an event.',
    load: () => import('./commands/webhooks-trigger.ts'),
  },
  'webhooks verify': {
    usage: 'webhooks verify [FILE] --signature SIGNATURE',
    summary: 'Verifies the signature of a delivery.',
    load: () => import('./commands/webhooks-verify.ts'),
  },
  'webhooks recover': {
    usage: 'webhooks recover --since TIME [--sqlite FILE] [--checkpoint FILE] [--repair]',
    summary: 'Reads again what an outage of the webhook has cost.',
    load: () => import('./commands/webhooks-recover.ts'),
  },
  'inbox dead': {
    usage: 'inbox dead --sqlite FILE | --redis [--key KEY]',
    summary: 'Lists the notifications that were given up.',
    load: async () => ({ command: (await import('./commands/inbox.ts')).dead }),
  },
  'inbox retry': {
    usage: 'inbox retry [ID]... [--all] --sqlite FILE | --redis [--key KEY]',
    summary: 'Has them handled again.',
    load: async () => ({ command: (await import('./commands/inbox.ts')).retry }),
  },
  whoami: {
    usage: 'whoami',
    summary: 'Tells the account of the key, and the features that the key can use.',
    load: () => import('./commands/whoami.ts'),
  },
  limits: {
    usage: 'limits',
    summary: 'Tells the rate limits, and whether they are reached now.',
    load: () => import('./commands/limits.ts'),
  },
  sandbox: {
    usage:
      'sandbox [--port 4010] [--host 127.0.0.1] [--cors ORIGIN] [--shipments 0] [--rate-limit on] [--log] [--seed 1] [--speed 1]',
    summary: 'Serves an emulation of the tracking service on this machine.',
    load: () => import('./commands/sandbox.ts'),
  },
  sync: {
    usage:
      'sync --to sqlite:FILE | --to postgres://… [--once] [--webhook-url URL] [--port 4012] [--share 0.5] [--status]',
    summary: 'Keeps a database in step with the service.',
    load: () => import('./commands/sync.ts'),
  },
  mcp: {
    usage: 'mcp [--http] [--port 4011] [--read-only] [--deadline MS] [--base-url URL] [--key-file PATH]',
    summary: 'Serves the tracking tools to an AI client, over the Model Context Protocol.',
    load: () => import('./commands/mcp.ts'),
  },
  completion: {
    usage: 'completion bash|zsh|fish',
    summary: 'Prints a script that completes commands and options in a shell.',
    load: async () => ({ command: (await import('./commands/completion.ts')).completion(COMMANDS) }),
  },
};

function recordCommands(
  name: string,
  load: () => Promise<{ list: Command; get: Command }>,
): Readonly<Record<string, Entry>> {
  const words = name.replaceAll('-', ' ');
  return {
    [`${name} list`]: {
      usage: `${name} list [--filter NAME=VALUE] [--include PATHS] [--limit 100] [--json]`,
      summary: `Lists ${words}.`,
      load: async () => ({ command: (await load()).list }),
    },
    [`${name} get`]: {
      usage: `${name} get ID [--include PATHS] [--json]`,
      summary: `Prints one of the ${words}.`,
      load: async () => ({ command: (await load()).get }),
    },
  };
}
