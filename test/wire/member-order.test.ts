// The order of members in XML is learned from what a service answers, and used for what it is sent.
import { expect, it } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { memberOrders } from '../../src/wire/member-order.ts';
import { bodyShape } from '../../src/wire/shape.ts';

const LIST_ITEM = bodyShape(contract.accountability);
const PHASE = bodyShape(contract.phase);
const COLOR = bodyShape(contract.color);

it('is the contract’s until an answer shows another one', () => {
  expect(memberOrders().of(LIST_ITEM)).toBeUndefined();
});

it('is that of the answers, and members that none of them had stand behind those that they follow', () => {
  const orders = memberOrders();
  orders.learn(LIST_ITEM, ['Rank', 'ID', 'Badge', 'Name']);
  expect(orders.of(LIST_ITEM)?.slice(0, 6)).toEqual(['Rank', 'ID', 'AncestorID', 'Badge', 'Name', 'Description']);
  expect(orders.of(COLOR)).toBeUndefined();
});

it('is the alphabet for every type, where one shows that the service writes so', () => {
  const orders = memberOrders();
  orders.learn(LIST_ITEM, ['AncestorID', 'Description', 'ID', 'Name', 'Rank']);
  expect(orders.of(COLOR)).toEqual(Object.keys(COLOR.fields).toSorted());
});

it('is not the alphabet because the contract’s order of a type happens to be', () => {
  const orders = memberOrders();
  orders.learn(PHASE, Object.keys(PHASE.fields));
  expect(orders.of(PHASE)).toEqual(Object.keys(PHASE.fields));
  expect(orders.of(COLOR)).toBeUndefined();
});
