import { benchNetflow } from './netflow/row.ts';
const programs = process.argv[3];
console.log(JSON.stringify(await benchNetflow({ devices: Number(process.argv[2]), postgresPrograms: programs, onProgress: (t: string) => console.error(new Date().toISOString(), t) }), null, 1));
