import { checkOf, type HealthSource } from '../healthSource.ts';
import { judgeRuntime } from '../rules/runtimeRule.ts';

/** `version`: of the Node that runs, without the leading `v`. */
export function createRuntimeSource(version: string, now: () => number): HealthSource {
  return { kind: 'runtime', read: async () => [checkOf('runtime', '', judgeRuntime(version, now()))] };
}
