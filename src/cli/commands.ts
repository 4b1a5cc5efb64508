import type { Command } from './command.ts';

interface Entry {
  readonly usage: string;
  readonly summary: string;
  load(): Promise<{ command: Command }>;
}

/** All commands. What they need is loaded when they are called, so that none pays for another. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  sandbox: {
    usage: 'sandbox [--port 4010] [--seed 1] [--shipments 0] [--speed 1]',
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
    usage: 'mcp [--http] [--port 4011] [--read-only] [--base-url URL] [--key-file PATH]',
    summary: 'Serves the tracking tools to an AI client, over the Model Context Protocol.',
    load: () => import('./commands/mcp.ts'),
  },
};
