// All texts in this language; one JSON file per area.

import books from './books.json' with { type: 'json' };
import console from './console.json' with { type: 'json' };
import control from './control.json' with { type: 'json' };
import health from './health.json' with { type: 'json' };
import labels from './labels.json' with { type: 'json' };
import markets from './markets.json' with { type: 'json' };
import money from './money.json' with { type: 'json' };
import operations from './operations.json' with { type: 'json' };
import settings from './settings.json' with { type: 'json' };
import setup from './setup.json' with { type: 'json' };
import switches from './switches.json' with { type: 'json' };
import users from './users.json' with { type: 'json' };

export const words = {
  ...books,
  ...console,
  ...control,
  ...health,
  ...labels,
  ...markets,
  ...money,
  ...operations,
  ...settings,
  ...setup,
  ...switches,
  ...users,
};
