// Parts of the handlers of trading that handlers of other features use.

export { marketOf, orderText } from './order-now.ts';
export {
  orderNumberOf,
  type PlaceOrderToSend,
  placeOrderOf,
  priceOf,
  sizeOf,
} from './order-request.ts';
