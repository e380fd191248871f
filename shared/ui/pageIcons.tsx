// The drawing behind each icon class of the menu table: one per page, all different.
import SystemBackup from '@mui/icons-material/BackupOutlined';
import Dashboard from '@mui/icons-material/DashboardOutlined';
import DeviceGroup from '@mui/icons-material/DevicesOtherOutlined';
import Fence from '@mui/icons-material/FenceOutlined';
import HistoryEvent from '@mui/icons-material/HistoryOutlined';
import Home from '@mui/icons-material/HomeOutlined';
import Version from '@mui/icons-material/InfoOutlined';
import Account from '@mui/icons-material/ManageAccountsOutlined';
import DeviceFirmware from '@mui/icons-material/MemoryOutlined';
import Netflow from '@mui/icons-material/NetworkCheckOutlined';
import TodayEvent from '@mui/icons-material/NotificationsActiveOutlined';
import EventNotifyConfig from '@mui/icons-material/NotificationsOutlined';
import Report from '@mui/icons-material/QueryStatsOutlined';
import GpsPlayback from '@mui/icons-material/RouteOutlined';
import EventDefine from '@mui/icons-material/RuleOutlined';
import Sender from '@mui/icons-material/SendOutlined';
import Datasync from '@mui/icons-material/SyncOutlined';
import EventConfig from '@mui/icons-material/TuneOutlined';
import Template from '@mui/icons-material/ViewQuiltOutlined';
import type { SvgIconProps } from '@mui/material/SvgIcon';
import type { ComponentType } from 'react';

const ICONS: Readonly<Record<string, ComponentType<SvgIconProps>>> = {
  'icon-home': Home,
  'icon-dashboard': Dashboard,
  'icon-gpsplayback': GpsPlayback,
  'icon-todayevent': TodayEvent,
  'icon-historyevent': HistoryEvent,
  'icon-report': Report,
  'icon-firmware': DeviceFirmware,
  'icon-datasync': Datasync,
  'icon-devicenetflow': Netflow,
  'icon-devicegroup': DeviceGroup,
  'icon-membership': Account,
  'icon-eventconfig': EventConfig,
  'icon-eventnotifyconfig': EventNotifyConfig,
  'icon-eventdefine': EventDefine,
  'icon-fencesetting': Fence,
  'icon-version': Version,
  'icon-sender': Sender,
  'icon-template': Template,
  'icon-sysbackup': SystemBackup,
};

export interface PageIconProps extends SvgIconProps {
  /** Icon class of the menu table. */
  readonly icon: string;
}

/** Decoration: the page's name stands beside it. An unknown class draws nothing. */
export function PageIcon({ icon, ...rest }: PageIconProps) {
  const Drawing = ICONS[icon];
  return Drawing === undefined ? null : <Drawing aria-hidden="true" className={icon} {...rest} />;
}
