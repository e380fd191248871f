import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { SenderPage } from './SenderPage.tsx';

await mountPage(<SenderPage />, [...FRAME_NAMESPACES, 'NotifyWords', 'Sender']);
