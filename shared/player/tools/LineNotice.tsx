import type { TFunction } from 'i18next';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { LineState } from './lineState.ts';

/** What stands in a panel in place of its buttons, while its line is not there. */
export function LineNotice({
  state,
  onRetry,
}: {
  readonly state: LineState;
  readonly onRetry: () => void;
}): ReactElement {
  const { t } = useTranslation(['Tile', 'Errors']);
  if (state.kind === 'opening' || state.kind === 'ready') return <p role="status">{t('Connecting to the vehicle…')}</p>;
  const text = state.kind === 'refused' ? refusalText(t, state) : t('The connection was lost.');
  return (
    <p role="alert">
      {text}{' '}
      <button type="button" className="tile-panel-retry" onClick={onRetry}>
        {t('Try again')}
      </button>
    </p>
  );
}

/** What a server's no means: the translation of a code that the pages know, else its own words. */
export function refusalText(t: TFunction, refusal: { readonly code: string; readonly message: string }): string {
  return t(refusal.code, { ns: 'Errors', defaultValue: refusal.message });
}
