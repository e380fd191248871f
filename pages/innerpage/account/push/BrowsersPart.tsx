import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { allowBrowser, removeBrowser } from '../../../../shared/api/notify/ownNotify.ts';
import type { OwnNotify } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { browserName } from '../../../../shared/ui/browserName.ts';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import { allowHere, type BrowserPush, forgetHere, lookAtBrowser } from './browserPush.ts';
import { PushNotice, useAllowedText } from './PushNotice.tsx';
import { browserPlatform, type PushPlatform } from './pushPlatform.ts';

export interface BrowsersPartProps {
  readonly own: OwnNotify;
  /** The browsers are others now. */
  readonly onChanged: () => void;
  /** Another one for tests. */
  readonly platform?: PushPlatform;
}

const THIS_BROWSER = browserPlatform();

/** The browsers that show notifications to the user, and whether this one does. */
export function BrowsersPart({ own, onChanged, platform = THIS_BROWSER }: BrowsersPartProps) {
  const { t } = useTranslation('Account');
  const { here, lookAgain } = useBrowserPush(platform, own);
  const [isBusy, setBusy] = useState(false);
  const allowedText = useAllowedText();
  const allow = async () => {
    setBusy(true);
    const allowed = await allowHere(platform, own.pushKey, allowBrowser);
    setBusy(false);
    if (allowed.kind === 'refused') notifyFailure(allowed.failure);
    else notify(allowed.kind === 'allowed' ? 'success' : 'error', allowedText(allowed.kind));
    lookAgain();
    onChanged();
  };
  const remove = async (id: number) => {
    const result = await removeBrowser(id);
    if (!result.ok) notifyFailure(result);
    else {
      if (id === here?.browser) await forgetHere(platform);
      notify('success', t('Browser removed.'));
    }
    onChanged();
  };
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {here !== undefined && <PushNotice state={here.state} />}
      {here?.state === 'available' && (
        <Button variant="outlined" loading={isBusy} onClick={() => void allow()} sx={{ justifySelf: 'start' }}>
          {t('Allow notifications in this browser')}
        </Button>
      )}
      {own.browsers.length > 0 && (
        <Box component="ul" aria-label={t('Browsers')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {own.browsers.map((browser) => (
            <BrowserRow
              key={browser.id}
              browser={browser}
              isHere={browser.id === here?.browser}
              onRemove={() => void remove(browser.id)}
            />
          ))}
        </Box>
      )}
    </Box>
  );
}

/** Undefined until the browser has answered. */
function useBrowserPush(platform: PushPlatform, { pushKey, browsers }: OwnNotify) {
  const [here, setHere] = useState<BrowserPush>();
  const [looks, setLooks] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks once more when it is asked to
  useEffect(() => {
    let isGone = false;
    void lookAtBrowser(platform, { pushKey, browsers }).then(
      (found) => isGone || setHere(found),
      (error: unknown) => console.warn('push subscription was not read', error),
    );
    return () => {
      isGone = true;
    };
  }, [platform, pushKey, browsers, looks]);
  return { here, lookAgain: () => setLooks((count) => count + 1) };
}

interface BrowserRowProps {
  readonly browser: OwnNotify['browsers'][number];
  readonly isHere: boolean;
  readonly onRemove: () => void;
}

function BrowserRow({ browser, isHere, onRemove }: BrowserRowProps) {
  const { t } = useTranslation('Account');
  const zone = useUserZone();
  const { createdAtMs, lastUsedAtMs } = browser;
  const name = browserName(browser.userAgent) ?? t('Unknown browser');
  const at = formatTimestamp(createdAtMs, zone);
  const used = formatTimestamp(lastUsedAtMs, zone);
  return (
    <Box component="li" sx={ROW}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 600 }}>{name}</Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {lastUsedAtMs === 0
            ? t('Allowed {{at}}, not used yet', { at })
            : t('Allowed {{at}}, last used {{used}}', { at, used })}
        </Box>
      </Box>
      {isHere && <Chip size="small" color="success" variant="outlined" label={t('This browser')} />}
      <Button size="small" aria-label={t('Remove browser: {{name}}', { name })} onClick={onRemove}>
        {t('Remove')}
      </Button>
    </Box>
  );
}

const ROW = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  py: 1,
  borderBottom: 1,
  borderColor: 'divider',
  '&:last-child': { borderBottom: 0 },
} as const;
