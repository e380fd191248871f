// Run by `npm run fix`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createTestApp } from '../testApp.ts';
import { callsDocument, type OpenApi } from './callsDocument.ts';

const test = await createTestApp();
const document = callsDocument(test.app.swagger() as OpenApi, test.routes);
writeFileSync(join(import.meta.dirname, '../../../../docs/calls.md'), document);
await test.close();
// The test's device side has timers that nothing ends.
process.exit();
