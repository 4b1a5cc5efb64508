import { ConfigurationError } from '../errors.ts';
import { describeValue, kindOf, objectArgument, oneOf, refuseUnknownNames } from '../internal/arguments.ts';
import { checkText } from './check-text.ts';
import { type ClientInfo, STDIO_OPTION_NAMES, type StdioOptions } from './options.ts';

/** Checks of options. What may be a secret is not repeated in a message. */

export function checkClientInfo(clientInfo: ClientInfo): void {
  const { name, version } = objectArgument('clientInfo', clientInfo, "{ name: 'my-program', version: '1.0.0' }");
  checkText('clientInfo.name', name);
  checkText('clientInfo.version', version);
}

/** @throws {ConfigurationError} for a program that cannot be started as it is meant. */
export function checkStdio(stdio: StdioOptions): void {
  refuseUnknownNames('stdio', objectArgument('stdio', stdio, "{ command: 'container-tracking' }"), STDIO_OPTION_NAMES);
  const { command, args, env, cwd, stderr } = stdio;
  if (typeof command !== 'string' || command === '') {
    throw new ConfigurationError(`stdio.command is ${describeValue(command)}; it must be the name of a program.`);
  }
  if (args !== undefined && !(Array.isArray(args) && args.every(value => typeof value === 'string'))) {
    throw new ConfigurationError("stdio.args must be an array of texts, one for each argument, such as ['mcp', '-x'].");
  }
  if (env !== undefined) checkEnvironment(env);
  if (cwd !== undefined && typeof cwd !== 'string' && kindOf(cwd) !== 'URL') {
    throw new ConfigurationError(`stdio.cwd is ${describeValue(cwd)}; it must be the path of a folder.`);
  }
  if (stderr !== undefined) oneOf('stdio.stderr', stderr, ['inherit', 'ignore']);
}

function checkEnvironment(env: object): void {
  if (kindOf(env) !== 'Object') {
    throw new ConfigurationError('stdio.env must be an object such as { TRACKING_API_KEY: apiKey }.');
  }
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === 'string') continue;
    const found = value === undefined || value === null ? String(value) : `of type ${typeof value}`;
    throw new ConfigurationError(`stdio.env.${name} is ${found}; it must be a text. Leave out what is not set.`);
  }
}
