import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { innerPageLink } from '../../../shared/ui/frame/innerPageLink.ts';

export interface NoDevicesProps {
  readonly permissions: readonly string[];
  /** Serial number of the current member group; 0 for none. */
  readonly memberGroup: number;
}

/** Why the dashboard shows no device, and for those who may mend it, the way there. */
export function NoDevices({ permissions, memberGroup }: NoDevicesProps) {
  const { t } = useTranslation('Dashboard');
  const may = (permission: string) => [Permission.System, permission].every((each) => permissions.includes(each));
  if (memberGroup === 0) {
    return (
      <Alert
        severity="info"
        action={
          may(Permission.Member) && (
            <Button component="a" size="small" color="inherit" {...innerPageLink(MEMBERSHIP, 'tab=groups')}>
              {t('Member groups')}
            </Button>
          )
        }
      >
        {may(Permission.Member)
          ? t("You aren't in a member group, so no devices are shown here. Add yourself to one that has device groups.")
          : t("You aren't in a member group, so no devices are shown here. Ask your administrator to add you to one.")}
      </Alert>
    );
  }
  return (
    <Alert
      severity="info"
      action={
        may(Permission.DeviceGroup) && (
          <Button component="a" size="small" color="inherit" {...innerPageLink(DEVICE_GROUP, '')}>
            {t('Device groups')}
          </Button>
        )
      }
    >
      {may(Permission.DeviceGroup)
        ? t('Your member group has no devices yet. Add a device to one of its device groups.')
        : t('No devices in your member group yet. An administrator can add them on the Device Group page.')}
    </Alert>
  );
}

const MEMBERSHIP = { src: '/innerpage/membership.html' };
const DEVICE_GROUP = { src: '/innerpage/devicegroup.html' };
