import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseDateTime } from './parseDateTime.ts';
import type { PlaybackController } from './playbackController.ts';
import { formatDateTime, formatZone } from './timeline/wallClock.ts';
import { useSecond } from './useSession.ts';

/** The wall clock of what is shown. Chosen, it is a field to go to another moment. */
export function PositionField({ session }: { readonly session: PlaybackController }): ReactElement {
  const { t } = useTranslation('Playback');
  const second = useSecond(session);
  /** What the viewer has typed; undefined while nobody types. */
  const [typed, setTyped] = useState<string>();
  const shown = second === undefined ? '' : formatDateTime(second);
  const isWrong = typed !== undefined && parseDateTime(typed, second ?? 0) === undefined;
  const go = () => {
    const momentMs = typed === undefined ? undefined : parseDateTime(typed, second ?? 0);
    if (momentMs === undefined) return;
    session.seek(momentMs);
    setTyped(undefined);
  };
  return (
    <span className="playback-clock">
      <input
        type="text"
        className="playback-position"
        aria-label={t('Date and time')}
        title={t('Go to date and time')}
        aria-invalid={isWrong}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? shown}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(undefined)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go();
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <span className="playback-zone">{second === undefined ? '' : formatZone(second)}</span>
    </span>
  );
}
