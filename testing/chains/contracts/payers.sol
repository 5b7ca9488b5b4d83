// SPDX-License-Identifier: Apache-2.0
// Contracts of tests that pay from within a transaction.
pragma solidity ^0.8.37;

interface Token {
    function transfer(address to, uint256 value) external returns (bool);
}

/// Pays native coins by inner calls.
contract InnerPayer {
    function pay(address payable to) external payable {
        (bool done, ) = to.call{value: msg.value}("");
        require(done);
    }

    /// Two payments to one address.
    function payTwice(address payable to) external payable {
        (bool first, ) = to.call{value: msg.value / 4}("");
        (bool second, ) = to.call{value: msg.value - msg.value / 4}("");
        require(first && second);
    }

    /// Pays, then reverts within; the outer transaction succeeds and keeps the coins.
    function payInVain(address payable to) external payable {
        try this.payAndRevert{value: msg.value}(to) {} catch {}
    }

    function payAndRevert(address payable to) external payable {
        (bool done, ) = to.call{value: msg.value}("");
        require(done);
        revert("payment reverted");
    }

    /// Pays by the destruction of a contract.
    function payByDestruction(address payable to) external payable {
        new Destroyed{value: msg.value}(to);
    }
}

contract Destroyed {
    constructor(address payable to) payable {
        selfdestruct(to);
    }
}

/// Pays tokens by inner calls.
contract TokenPayer {
    /// Two logs in one transaction.
    function payTwice(Token token, address to, uint256 value) external {
        token.transfer(to, value / 4);
        token.transfer(to, value - value / 4);
    }
}
