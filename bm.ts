import { benchPositions } from './test/bench/positions/row.ts';
console.log(JSON.stringify(await benchPositions({positions: 400_000, seconds: 20, onProgress: console.log}),null,1));
process.exit(0);
