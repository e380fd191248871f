import { checkOf, type HealthSource } from '../healthSource.ts';
import { judgePort, judgePortRange, type ListeningPort, type PortRange } from '../rules/portRule.ts';

export interface NamedPort extends ListeningPort {
  /** What it is for: `web`, `jt808`. */
  readonly name: string;
}

export interface PortSourceDeps {
  /** Asks the servers, not the configuration. */
  readonly ports: () => readonly NamedPort[];
  readonly passiveRange: () => PortRange;
}

export function createPortSource({ ports, passiveRange }: PortSourceDeps): HealthSource {
  return {
    kind: 'ports',
    read: async () => [
      ...ports().map(({ name, ...port }) => checkOf('ports', name, judgePort(port))),
      checkOf('ports', 'ftp-passive', judgePortRange(passiveRange())),
    ],
  };
}
