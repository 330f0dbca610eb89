import { DELIVERY_STATES, type DeliveryState } from '@sinebar/client';
import { oneOf, searchParameters, text } from '../../server/search-parameters';

/** Parameters in the address of the page. */
export interface DeliveriesAddress {
  state: DeliveryState;
  /** Uuid of the subscription whose messages are shown. */
  subscription: string;
}

/** Everything that defines the view. */
export const search = searchParameters({ state: oneOf(DELIVERY_STATES), subscription: text });
