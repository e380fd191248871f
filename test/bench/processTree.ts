// CPU time of a process and all its descendants, from /proc: Chromium does its work in many processes.
import { readdir, readFile } from 'node:fs/promises';

const TICKS_PER_SECOND = 100;
/** Fields of /proc/PID/stat behind the command's name, counted from the state. */
const PARENT = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

interface ProcessStat {
  readonly id: number;
  readonly parentId: number;
  readonly cpuSeconds: number;
}

/** Seconds of user and system time used so far by the processes of a tree that are still alive. */
export async function treeCpuSeconds(rootId: number): Promise<number> {
  const processes = await readProcesses();
  const wanted = new Set([rootId]);
  let grew = true;
  while (grew) {
    grew = false;
    for (const { id, parentId } of processes) {
      if (wanted.has(id) || !wanted.has(parentId)) continue;
      wanted.add(id);
      grew = true;
    }
  }
  return processes.filter(({ id }) => wanted.has(id)).reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
}

async function readProcesses(): Promise<ProcessStat[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(ids.map((id) => readStat(Number(id))));
  return stats.filter((stat) => stat !== undefined);
}

async function readStat(id: number): Promise<ProcessStat | undefined> {
  try {
    const text = await readFile(`/proc/${id}/stat`, 'utf8');
    // The command's name may hold spaces and brackets; its last bracket ends it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
    return { id, parentId: Number(fields[PARENT]), cpuSeconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined; // it ended between the listing and the reading
  }
}
