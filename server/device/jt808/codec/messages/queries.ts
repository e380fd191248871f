// Messages whose name is all they say. What some senders put into them all the same is left unread.
import { nothing } from '../fields.ts';

export const queryMessages = {
  heartbeat: nothing,
  logout: nothing,
  linkCheck: nothing,
  timeQuery: nothing,
  vendorTimeQuery: nothing,
  queryParameters: nothing,
  queryAttributes: nothing,
  queryPosition: nothing,
  queryDriver: nothing,
  queryAvAttributes: nothing,
};
