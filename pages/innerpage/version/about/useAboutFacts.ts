import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { durationText } from '../../../../shared/ui/events/eventText.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import type { TimedAbout } from './timedAbout.ts';

type Facts = readonly (readonly [name: string, text: string])[];

export interface AboutFacts {
  readonly product: Facts;
  readonly server: Facts;
  readonly evidence: Facts;
}

const ENGINE_NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
const COMMIT_DIGITS = 12;
/** Deviation of a clock that nobody needs to set. */
const CLOCK_TOLERANCE_MS = 2_000;

export function useAboutFacts(timed: TimedAbout | undefined): AboutFacts {
  const { t } = useTranslation('Version');
  const zone = useUserZone();
  if (timed === undefined) return { product: [], server: [], evidence: [] };
  const { about, aheadMs } = timed;
  const { build, schema, database } = about;
  const lastStep = schema.steps.at(-1);
  const at = (ms: number) => (ms === 0 ? '' : formatTimestamp(ms, zone));
  return {
    product: [
      [t('Version'), about.version],
      [
        t('Build'),
        [build.commit.slice(0, COMMIT_DIGITS), at(build.builtAtMs)].filter((part) => part !== '').join(' · '),
      ],
      [
        t('Database schema'),
        lastStep === undefined
          ? String(schema.version)
          : t('{{version}}, since {{time}}', { version: schema.version, time: at(lastStep.appliedAtMs) }),
      ],
      [t('Database'), `${ENGINE_NAMES[database.engine]} ${database.version} · ${bytesText(database.bytes)}`],
    ],
    server: [
      ['Node.js', about.node],
      [t('Operating system'), about.platform],
      [t('Started'), `${at(about.startedAtMs)} (${durationText(about.nowMs - about.startedAtMs)})`],
      [t('Time zone'), about.timeZone],
      [t('Clock'), `${at(about.nowMs)} · ${clockText(aheadMs)}`],
    ],
    evidence: [[t('Fingerprint (SHA-256)'), about.evidenceKey.fingerprint]],
  };

  function clockText(ahead: number): string {
    const difference = durationText(Math.abs(ahead));
    if (Math.abs(ahead) < CLOCK_TOLERANCE_MS) return t('same as this browser');
    return ahead > 0
      ? t('{{time}} behind this browser', { time: difference })
      : t('{{time}} ahead of this browser', { time: difference });
  }
}
