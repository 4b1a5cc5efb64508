import { documentIn, drift } from '../support/service/drift/compare.ts';

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('Name the OpenAPI document of the service: npm run drift -- openapi.yaml');
  process.exit(2);
}
const { missing, extra } = drift(documentIn(path));
for (const line of missing) console.log(`+ ${line}`);
for (const line of extra) console.log(`- ${line}`);
if (missing.length + extra.length > 0) {
  console.log(
    `\n+ is only in ${path}, - only in description/. An intended difference has a line in description/allowed-drift.yaml.`,
  );
  process.exitCode = 1;
}
