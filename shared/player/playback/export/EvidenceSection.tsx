import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Evidence } from '../../../api/recordings/evidence.ts';
import { errorText } from '../../../i18n/errorText.ts';
import type { TimeRange } from '../timeline/ranges.ts';
import { formatDateTime, formatDay, formatTime } from '../timeline/wallClock.ts';
import { type EvidenceControl, useEvidence } from './useEvidence.ts';

export interface EvidenceSectionProps {
  readonly deviceid: string;
  readonly channels: readonly number[];
  /** Undefined while what is typed is no range. */
  readonly range: TimeRange | undefined;
}

/** The gateway takes no more. */
const MOST_CHARACTERS = 256;

/** For members who may: keeps the chosen range beyond its retention until somebody releases it. */
export function EvidenceSection({ deviceid, channels, range }: EvidenceSectionProps): ReactElement | null {
  const { t } = useTranslation(['Playback', 'Errors']);
  const control = useEvidence(deviceid);
  const [reason, setReason] = useState('');
  const titleId = useId();
  const { held, isBusy, failure } = control;
  if (held === undefined) return null;
  const canHold = range !== undefined && channels.length > 0 && reason.trim() !== '' && !isBusy;
  const hold = async (event: FormEvent) => {
    event.preventDefault();
    if (!canHold) return;
    if (await control.hold({ channels, range, reason: reason.trim() })) setReason('');
  };
  return (
    <form className="playback-evidence" aria-labelledby={titleId} onSubmit={(event) => void hold(event)}>
      <h3 id={titleId}>{t('Evidence hold')}</h3>
      <p>{t('Held recordings are kept until they are released, regardless of retention.')}</p>
      <label className="playback-evidence-reason">
        <span>{t('Reason')}</span>
        <input
          type="text"
          className="playback-position"
          maxLength={MOST_CHARACTERS}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      {failure !== undefined && <p role="alert">{errorText(failure)}</p>}
      <div className="playback-export-buttons">
        <button type="submit" disabled={!canHold}>
          {t('Hold as evidence')}
        </button>
      </div>
      <HeldList held={held} control={control} />
    </form>
  );
}

interface HeldListProps {
  readonly held: readonly Evidence[];
  readonly control: EvidenceControl;
}

function HeldList({ held, control }: HeldListProps): ReactElement | null {
  const { t } = useTranslation('Playback');
  if (held.length === 0) return null;
  return (
    <ul aria-label={t('Evidence holds of this device')}>
      {held.map(({ id, channel, fromMs, toMs, reason, heldBy }) => (
        <li key={id}>
          <div>
            <strong>{reason}</strong>
            <br />
            {[channel === 0 ? t('All channels') : `ch ${channel}`, spanText(fromMs, toMs), heldBy].join(' · ')}
          </div>
          <button type="button" disabled={control.isBusy} onClick={() => void control.release(id)}>
            {t('Release')}
          </button>
        </li>
      ))}
    </ul>
  );
}

function spanText(fromMs: number, toMs: number): string {
  const end = formatDay(toMs) === formatDay(fromMs) ? formatTime(toMs) : formatDateTime(toMs);
  return `${formatDateTime(fromMs)} – ${end}`;
}
