/**
 * Runs the protocol's own checks of the MCP server, offline: the conformance suite through our HTTP code on both current
 * revisions, the inspector against the packed command, official clients of earlier versions, and the guide's npx line with
 * an empty cache. Fails if a check finds a fault that no baseline expects.
 *
 * node conformance/run.ts
 */
import { checkWithClients } from './clients.ts';
import { checkWithInspector } from './inspector.ts';
import { checkNpx } from './npx.ts';
import { checkWithSuite } from './suite.ts';

const failures = [
  ...(await checkWithSuite()),
  ...(await checkWithInspector()),
  ...(await checkWithClients()),
  ...(await checkNpx()),
];
for (const failure of failures) console.error(`\n${failure}`);
console.log(failures.length === 0 ? 'All checks of the protocol passed.' : `${failures.length} failed.`);
process.exitCode = failures.length === 0 ? 0 : 1;
