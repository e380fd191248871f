import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useTileTools } from '../tile/tileTools.ts';

/** Says that the tiles' tools did not load. The pictures go on without them. */
export function ToolsFailure(): ReactElement | null {
  const { t } = useTranslation('Common');
  const tools = useTileTools();
  if (tools.kind !== 'failed') return null;
  return (
    <p className="video-grid-failure" role="alert">
      {t("Part of this page didn't load ({{chunk}}). Reload the page.", { chunk: tools.chunk })}{' '}
      <button type="button" onClick={() => window.location.reload()}>
        {t('Reload page')}
      </button>
    </p>
  );
}
