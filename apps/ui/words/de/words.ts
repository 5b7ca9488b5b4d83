// All words of this language; one JSON file per area.

import account from './account.json' with { type: 'json' };
import money from './money.json' with { type: 'json' };
import shell from './shell.json' with { type: 'json' };
import trade from './trade.json' with { type: 'json' };

export const words = { ...shell, ...trade, ...money, ...account };
