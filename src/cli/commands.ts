import type { Command } from './command.ts';

interface Entry {
  readonly usage: string;
  readonly summary: string;
  load(): Promise<{ command: Command }>;
}

/** All commands. What they need is loaded when they are called, so that none pays for another. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  sandbox: {
    usage: 'sandbox [--port 4010] [--host 127.0.0.1] [--shipments 0] [--rate-limit on] [--log] [--seed 1] [--speed 1]',
    summary: 'Serves an emulation of the tracking service on this machine.',
    load: () => import('./commands/sandbox.ts'),
  },
  mcp: {
    usage: 'mcp [--http] [--port 4011] [--read-only] [--base-url URL] [--key-file PATH]',
    summary: 'Serves the tracking tools to an AI client, over the Model Context Protocol.',
    load: () => import('./commands/mcp.ts'),
  },
};
