import { EVENT_NAMESPACES } from '../../../shared/ui/events/namespaces.ts';
import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { EventDefinePage } from './EventDefinePage.tsx';

await mountPage(<EventDefinePage />, [...FRAME_NAMESPACES, ...EVENT_NAMESPACES, 'EventDefine']);
