// SPDX-License-Identifier: Apache-2.0
// ERC-20 tokens of tests: one that follows the standard, and those that exchanges lost money to.
pragma solidity ^0.8.37;

/// Follows the standard.
contract StandardToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf;

    constructor() {
        balanceOf[msg.sender] = 10 ** 30;
    }

    function transfer(address to, uint256 value) external virtual returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Returns nothing, like the largest dollar token.
contract NoReturnToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf;

    constructor() {
        balanceOf[msg.sender] = 10 ** 30;
    }

    function transfer(address to, uint256 value) external {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }
}

/// Returns false instead of reverting, and moves nothing.
contract FalseToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf;

    constructor() {
        balanceOf[msg.sender] = 10 ** 30;
    }

    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }
}

/// Keeps one percent, and logs the full amount.
contract FeeToken is StandardToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        uint256 fee = value / 100;
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value - fee;
        balanceOf[address(this)] += fee;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Logs a transfer that does not happen.
contract LyingToken is StandardToken {
    function transfer(address to, uint256 value) external override returns (bool) {
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
