// Processor time and memory of a process and all its descendants, from /proc: Chromium does its work in many processes.
import { readdir, readFile } from 'node:fs/promises';

const TICKS_PER_SECOND = 100;
/** Fields of /proc/PID/stat after the command's name, counted from the state. */
const PARENT = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const REAPED_USER_TICKS = 13;
const REAPED_SYSTEM_TICKS = 14;

export interface ProcessStat {
  readonly id: number;
  readonly parentId: number;
  readonly cpuSeconds: number;
  /** Processor time of its children that have ended and of theirs, counted from the moment at which it asked how they ended. */
  readonly reapedCpuSeconds: number;
}

/** In MiB. `rss` counts pages that processes share once for each, `pss` shares them out, `anonymous` is nobody else's. */
export interface TreeMemory {
  readonly rssMib: number;
  readonly pssMib: number;
  readonly anonymousMib: number;
}

/** Seconds of user and system time used so far by the processes of a tree that are still alive. */
export async function treeCpuSeconds(rootId: number): Promise<number> {
  return (await readTree(rootId)).reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
}

/** The same with those that have ended, so that the difference of two readings is what the tree used in between. */
export async function treeCpuSecondsWithEnded(rootId: number): Promise<number> {
  return cpuSecondsOf(await readTree(rootId));
}

export function cpuSecondsOf(processes: readonly ProcessStat[]): number {
  return processes.reduce((total, { cpuSeconds, reapedCpuSeconds }) => total + cpuSeconds + reapedCpuSeconds, 0);
}

export async function treeMemory(rootId: number): Promise<TreeMemory> {
  const texts = await Promise.all(
    // A process that ended meanwhile holds nothing.
    (await readTree(rootId)).map(({ id }) => readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  const mib = (name: string): number => {
    const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm');
    return texts.reduce((total, text) => total + Number(line.exec(text)?.[1] ?? 0), 0) / 1024;
  };
  return { rssMib: mib('Rss'), pssMib: mib('Pss'), anonymousMib: mib('Anonymous') };
}

async function readTree(rootId: number): Promise<ProcessStat[]> {
  return treeOf(rootId, await readProcesses());
}

/** A process and all its descendants. */
export function treeOf(rootId: number, processes: readonly ProcessStat[]): ProcessStat[] {
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
  return processes.filter(({ id }) => wanted.has(id));
}

async function readProcesses(): Promise<ProcessStat[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(ids.map((id) => readStat(Number(id))));
  return stats.filter((stat) => stat !== undefined);
}

async function readStat(id: number): Promise<ProcessStat | undefined> {
  try {
    return parseStat(await readFile(`/proc/${id}/stat`, 'utf8'));
  } catch {
    return undefined; // it ended between the listing and the reading
  }
}

/** Reads /proc/PID/stat. */
export function parseStat(text: string): ProcessStat {
  // The command's name may hold spaces and brackets; its last bracket ends it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const secondsOf = (...places: number[]) =>
    places.reduce((total, place) => total + Number(fields[place]), 0) / TICKS_PER_SECOND;
  return {
    id: Number.parseInt(text, 10),
    parentId: Number(fields[PARENT]),
    cpuSeconds: secondsOf(USER_TICKS, SYSTEM_TICKS),
    reapedCpuSeconds: secondsOf(REAPED_USER_TICKS, REAPED_SYSTEM_TICKS),
  };
}
