import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Permission } from '../../protocol/permissions.ts';
import { useSession } from '../session.ts';
import type { MapState } from './useMap.ts';

/** What the reader should know of the map: that it can't be shown, or why there are no streets on it. */
export function MapNotice({ state }: { readonly state: MapState }) {
  const text = useNoticeText(state);
  const [dismissed, setDismissed] = useState<string>();
  if (text === undefined || text === dismissed) return null;
  const isFailure = state.kind === 'failed';
  return (
    <Alert
      severity={isFailure ? 'warning' : 'info'}
      sx={NOTICE}
      {...(isFailure ? {} : { onClose: () => setDismissed(text) })}
    >
      {text}
    </Alert>
  );
}

function useNoticeText(state: MapState): string | undefined {
  const { t } = useTranslation('Map');
  const session = useSession();
  const isAdministrator = session.kind === 'signed-in' && session.status.permission.includes(Permission.System);
  if (state.kind === 'loading') return undefined;
  if (state.kind === 'failed')
    return t("This browser can't show the map because WebGL isn't available. Use the list instead.");
  switch (state.background) {
    case 'stand-in':
      return t("Can't reach the map server. A simple world map is shown instead.");
    case 'streets-stand-in':
      return isAdministrator
        ? t("Can't read the street map. Check the file that MAP_PMTILES names; the server log has the cause.")
        : t("Can't read the street map. A simple world map is shown instead.");
    case 'built-in':
      if (!state.isStreetLevel) return undefined;
      return isAdministrator
        ? t(
            'No street map is set up. Set MAP_PMTILES to a map file of your region; docs/configuration.md explains how.',
          )
        : t('No street map is set up.');
    default:
      return undefined;
  }
}

const NOTICE = {
  position: 'absolute',
  top: 12,
  left: 12,
  right: 64,
  width: 'fit-content',
  maxWidth: 420,
  zIndex: 2,
} as const;
