import { type ReactElement, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ControlButton } from './ControlButton.tsx';
import { parseDateTime } from './parseDateTime.ts';
import type { PlaybackController } from './playbackController.ts';
import { formatDay, formatTime } from './timeline/wallClock.ts';

/** Opens the browser's calendar; the day that is selected is shown from the present time of day on. */
export function DayButton({ session }: { readonly session: PlaybackController }): ReactElement {
  const { t } = useTranslation('Playback');
  const input = useRef<HTMLInputElement>(null);
  const open = () => {
    const positionMs = session.positionMs();
    if (input.current === null || positionMs === undefined) return;
    input.current.value = formatDay(positionMs);
    input.current.showPicker();
  };
  const go = (day: string) => {
    const positionMs = session.positionMs();
    if (positionMs === undefined) return;
    const momentMs = parseDateTime(`${day} ${formatTime(positionMs)}`, positionMs);
    if (momentMs !== undefined) session.seek(momentMs);
  };
  return (
    <span className="playback-day">
      <ControlButton icon="day" label={t('Select date')} onPress={open} />
      {/* The calendar opens beside it. It is no stop of the Tab key: the button is. */}
      <input
        ref={input}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => go(event.currentTarget.value)}
      />
    </span>
  );
}
